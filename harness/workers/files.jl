# Files of functions: each is loaded into a module of its own, with the packages of its project.
# Part of HarnessWorker.jl; standard library only; Julia 1.5 and newer.

struct Fault <: Exception
    kind::String
    message::String
    line::Union{Int,Nothing}
    detail::String
end

Fault(kind, message) = Fault(kind, message, nothing, "")

struct File
    path::String
    names::Module
    signatures::Dict{String,Any}
end

const FILES = Dict{String,File}()

function fault(kind, error, trace, path)
    line = nothing
    while error isa LoadError
        error.file == path && (line = error.line)
        error = error.error
    end
    ours = filter(frame -> string(frame.file) == path, stacktrace(trace))
    isempty(ours) || (line = first(ours).line)
    text = sprint(showerror, error)
    said = filter(!isempty, strip.(split(text, '\n')))
    message = isempty(said) ? string(typeof(error)) : first(said)
    parser = ByVersion.syntax_error(text)
    if parser !== nothing
        line = parser[1]
        isempty(parser[2]) || (message = parser[2])
    end
    frames = ["$path:$(frame.line): $(frame.func)" for frame in ours]
    detail = join(vcat(first(text, 4000), unique(frames)[1:min(end, 20)]), '\n')
    return Fault(kind, first(message, 1000), line, detail)
end

# The project beside a file, if there is one.
function project_of(path)
    beside = (joinpath(dirname(abspath(path)), name) for name in ("JuliaProject.toml", "Project.toml"))
    found = filter(isfile, collect(beside))
    return isempty(found) ? nothing : first(found)
end

# With the packages of a file's own project before all others.
function with_project(f, path)
    project = project_of(path)
    project === nothing && return f()
    before = Base.ACTIVE_PROJECT[]
    Base.ACTIVE_PROJECT[] = project
    try
        return f()
    finally
        Base.ACTIVE_PROJECT[] = before
    end
end

# What is loaded before any file: a standard library may lie elsewhere than it says.
const OURS = Set(keys(Base.loaded_modules))

# Where each package was found that a file has loaded; older versions of pathof look for it anew.
const PLACES = Dict{Base.PkgId,String}()

function note_packages()
    for (id, loaded) in Base.loaded_modules
        (id in OURS || haskey(PLACES, id)) && continue
        place = pathof(loaded)
        place === nothing || (PLACES[id] = place)
    end
end

# Julia loads a package once in a process: of two cases with versions of their own, the second would get the
# first's.
function check_packages(path)
    text = read(path, String)
    for (id, place) in PLACES
        occursin(id.name, text) || continue
        own = Base.identify_package(id.name) == id ? Base.locate_package(id) : nothing
        (own === nothing || own == place) && continue
        throw(Fault("load", "the package $(id.name) is loaded from $place, and a process of Julia loads it once: run this case alone"))
    end
end

function load(path, stages, signatures)
    with_project(path) do
        try
            load_in_place(path, stages, signatures)
        finally
            note_packages()
        end
    end
end

function load_in_place(path, stages, signatures)
    isfile(path) && check_packages(path)
    names = Module(gensym(first(splitext(basename(path)))))
    Core.eval(names, :(eval(x) = Core.eval($names, x)))
    Core.eval(names, :(include(x) = Base.include($names, x)))
    Core.eval(names, :(include(f::Function, x) = Base.include(f, $names, x)))
    try
        compiled(Base.include, names, path)
    catch error
        throw(fault("load", error, catch_backtrace(), path))
    end
    handle = "h$(length(FILES) + 1)"
    FILES[handle] = File(path, names, signatures)
    # What the file defines is newer than this function.
    problems = Any[
        Base.invokelatest(haskey(signatures, stage) ? adapted_problem : problem, names, stage, get(signatures, stage, inputs))
        for (stage, inputs) in stages
    ]
    return Dict("handle" => handle, "problems" => filter(!isnothing, problems))
end

# How many arguments these are is for the call to tell: methods are of types.
function adapted_problem(names, stage, how)
    try
        Values.target(how, stage, names)
        return nothing
    catch error
        return Dict("stage" => stage, "kind" => "missing", "message" => first(split(sprint(showerror, error), '\n')))
    end
end

function problem(names, stage, inputs)
    # Not isdefined: Base has a `keys` and a `values` of its own.
    own = Symbol(stage) in Base.names(names, all = true, imported = true) && isdefined(names, Symbol(stage))
    own || return Dict("stage" => stage, "kind" => "missing", "message" => "there is no function $stage")
    f = getfield(names, Symbol(stage))
    known = methods(f)
    isempty(known) && return Dict("stage" => stage, "kind" => "missing", "message" => "$stage is not a function")
    any(m -> m.isva ? inputs >= m.nargs - 2 : inputs == m.nargs - 1, known) && return nothing
    m = first(known)
    return Dict(
        "stage" => stage, "kind" => "arity", "line" => Int(m.line),
        "message" => "$stage takes $(join(sort!(unique(m.nargs - 1 for m in known)), " or ")) arguments, and the stage has $inputs inputs",
    )
end

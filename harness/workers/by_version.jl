# What differs by Julia's version: how the worker's own code is kept and compiled, and what Julia itself calls by
# another name, or has not yet. Julia 1.5 and newer. What differs is asked for where it can be given to a function:
# tests/integration/by_version.jl goes through each branch.
#
# From 1.9 on Julia keeps a package's machine code: the worker is one there, compiled once into the folder that
# HARNESS_JULIA_DEPOT names. Before, Julia would compile the worker's own code for seconds at each start, as a package
# too: it is interpreted there, for what is said of requests and replies is short. Files and the functions in
# them are compiled as ever, and so is all that touches the elements of arrays: what is interpreted once stays so in
# that process, and its type is not inferred.
module ByVersion

const KEEPS_MACHINE_CODE = VERSION >= v"1.9"
# HARNESS_JULIA_PACKAGE=always: a test of the package with a Julia that gains nothing from it.
as_package() = KEEPS_MACHINE_CODE || get(ENV, "HARNESS_JULIA_PACKAGE", "") == "always"
const COMPILED, INTERPRETED = Int8(1), Int8(3)

# The option --compile of this process, which holds for what is called for the first time.
const OFFSET = fieldoffset(Base.JLOptions, Base.fieldindex(Base.JLOptions, :compile_enabled))
place() = Ptr{Int8}(cglobal(:jl_options)) + OFFSET

option() = unsafe_load(place())
option!(mode::Int8) = KEEPS_MACHINE_CODE ? nothing : unsafe_store!(place(), mode)

# How files are compiled: as the process was started, where nothing else is said.
const OF_FILES = Ref(option())

interpret!() = option!(INTERPRETED)
as_files!() = option!(OF_FILES[])
function compile_files!()
    OF_FILES[] = COMPILED
    as_files!()
end

# A call of something that is compiled as files are, and of something that is not.
compiled(@nospecialize(f), @nospecialize(arguments...)) = in_mode(as_files!, f, arguments)
interpreted(@nospecialize(f), @nospecialize(arguments...)) = in_mode(interpret!, f, arguments)

function in_mode(@nospecialize(choose!), @nospecialize(f), @nospecialize(arguments))
    before = option()
    choose!()
    try
        return Base.invokelatest(f, arguments...)
    finally
        option!(before)
    end
end

# The module of HarnessWorker.jl: a package, or read anew where that gains nothing, or where no package can be had.
function worker(into, folder)
    depot = get(ENV, "HARNESS_JULIA_DEPOT", "")
    if depot != "" && as_package()
        try
            # Not inferred where it is not called.
            return Base.invokelatest(packaged, into, folder, depot)
        catch error
            println(stderr, "the worker's package cannot be had, and its code is read anew: ", first(sprint(showerror, error), 400))
        end
    end
    Base.include(into, joinpath(folder, "HarnessWorker.jl"))
    return Base.invokelatest(getfield, into, :HarnessWorker)
end

# What is there is never changed, for another process may read it: each state of the code has a folder of its own,
# which gets its name when it is whole.
function packaged(into, folder, depot)
    files = [joinpath(folder, name) for name in readdir(folder) if endswith(name, ".jl")]
    state = hash((VERSION, Base.julia_cmd().exec[1], [(file, mtime(file)) for file in files]))
    kept = joinpath(depot, string(state, base = 16))
    isdir(kept) && return required(into, folder, kept)
    mkpath(depot)
    made = mktempdir(depot)
    try
        return required(into, folder, made)
    finally
        # Where another process was quicker, its folder stays.
        isdir(joinpath(made, "compiled")) && !isdir(kept) && try
            mv(made, kept)
        catch
        end
        rm(made, force = true, recursive = true)
    end
end

# Neither folder is there for the code that is judged. Standard output may be the protocol's.
function required(into, folder, depot)
    paths, depots = copy(LOAD_PATH), copy(DEPOT_PATH)
    pushfirst!(LOAD_PATH, folder)
    pushfirst!(DEPOT_PATH, depot)
    try
        return redirect_stdout(() -> Base.require(into, :HarnessWorker), stderr)
    finally
        append!(empty!(LOAD_PATH), paths)
        append!(empty!(DEPOT_PATH), depots)
    end
end

# ---- Julia's own names --------------------------------------------------------------------------------

# An expression in which loops at top level see globals, as at the prompt: 1.5 changes it in place.
softscope(repl, expression) = isdefined(repl, :softscope) ? repl.softscope(expression) : repl.softscope!(expression)

# Which BLAS it is: from 1.7 on there may be several, which are loaded at run time.
function blas_name(blas)
    isdefined(blas, :get_config) && return join([basename(lib.libname) for lib in blas.get_config().loaded_libs], " ")
    return string(blas.vendor())
end

# Whether `range(a, b)` has the step 1; before, it is an error.
range_needs_no_step(version = VERSION) = version >= v"1.7"

# Line and words of an error in the syntax, where the parser tells them, as that of 1.10 and newer does; or nothing.
function syntax_error(text)
    place = match(r"# Error @ .*?:(\d+):\d+", text)
    place === nothing && return nothing
    why = match(r"── (.+)", text)
    return parse(Int, place[1]), why === nothing ? "" : "syntax: " * why[1]
end

# By itself: a function with a call of C is never interpreted, and all that it calls would be inferred with it.
writes_package() = ccall(:jl_generating_output, Cint, ()) == 1

# Call something while a package is compiled, whose machine code is kept then; its failure costs time alone.
function rehearsed(@nospecialize(f))
    as_package() && writes_package() || return
    try
        Base.invokelatest(f)
    catch error
        println(stderr, "the worker's rehearsal failed: ", sprint(showerror, error))
    end
end

end

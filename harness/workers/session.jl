# Julia's session: code evaluated as at the prompt, or as a file's. A program that speaks the worker protocol;
# standard library only; Julia 1.5 and newer.

include(joinpath(@__DIR__, "worker.jl"))

module HarnessSession

using REPL
import ..HarnessWorker
using ..HarnessWorker: ByVersion, Fault, METHODS, compiled

mutable struct Session
    mode::String
    open::Bool
    plots::Vector{String}
    place::Union{Nothing,IO}
end

const SESSION = Session("prompt", false, String[], nothing)
const FOLDER = joinpath(@__DIR__, "stand_ins", "julia")

# For stand-ins: what would have been drawn.
drawn(text) = push!(SESSION.plots, text)

# ---- stand-ins --------------------------------------------------------------------------------------

installed(name) = Base.find_package(name) !== nothing

function stand_in(names)
    used = Dict{String,String}()
    for name in names
        if name == "range(a, b)"
            ByVersion.range_needs_no_step() && continue
            Base.include(HarnessSession, joinpath(FOLDER, "range", "range.jl"))
            used[name] = "stand-in for Julia 1.7's method"
        elseif isdir(joinpath(FOLDER, name)) && !installed(name)
            used[name] = "stand-in with the part of $name's interface that is written in stand_ins/julia/$name"
        end
    end
    any(isdir(joinpath(FOLDER, name)) for name in keys(used)) && push!(LOAD_PATH, FOLDER)
    return used
end

const C_STDOUT = Sys.isapple() ? :__stdoutp : :stdout

# ---- open -------------------------------------------------------------------------------------------

function open_session(params, _)
    SESSION.open && throw(Fault("protocol", "the session is open already"))
    used = stand_in(get(params, "stand_ins", Any[]))
    SESSION.mode, SESSION.open = params["mode"], true
    haskey(params, "place") && (SESSION.place = Base.open(params["place"], "w"))
    redirect_stdout(Base.open(params["stdout"], "w"))
    redirect_stderr(Base.open(params["stderr"], "w"))
    HarnessWorker.print_at_once()
    # Julia's prompt and notebooks have `@which`, `subtypes`, `versioninfo` and the like; a file has not.
    SESSION.mode == "prompt" && Core.eval(Main, :(using InteractiveUtils))
    pushdisplay(SESSION.mode == "prompt" ? Prompt() : TextDisplay(stdout))
    unbuffer_c()
    return Dict("stand_ins" => used), Any[]
end

# What C prints must come between what Julia prints, in the order of the code.
unbuffer_c() =
    ccall(:setvbuf, Cint, (Ptr{Cvoid}, Ptr{Cvoid}, Cint, Csize_t), unsafe_load(cglobal(C_STDOUT, Ptr{Cvoid})), C_NULL, 2, 0)

# ---- eval -------------------------------------------------------------------------------------------

softly(expression) = ByVersion.softscope(REPL, expression)

# Blank lines before the code: its own lines then have the numbers that they have in the file.
placed(code, line) = "\n"^(line - 1) * code

# Which statement comes next: if it never ends, it is the one that did not.
function tell(first, last)
    SESSION.place === nothing && return
    try
        write(SESSION.place, "$first $last\n")
        flush(SESSION.place)
    catch
        SESSION.place = nothing
    end
end

# The line of the statement that is being evaluated; 0 where that is not known.
const BEGUN = Ref(0)

function run_prompt(code, file, line)
    parsed = Base.parse_input_line(placed(code, line), filename = file)
    value = nothing
    pieces = parsed isa Expr && parsed.head === :toplevel ? parsed.args : Any[parsed]
    at = LineNumberNode(line, Symbol(file))
    for (number, piece) in enumerate(pieces)
        if piece isa LineNumberNode
            at = piece
            continue
        end
        after = number + 1
        while after <= length(pieces) && !(pieces[after] isa LineNumberNode)
            after += 1
        end
        BEGUN[] = at.line
        tell(at.line, after > length(pieces) ? line + lines_in(code) : max(at.line, pieces[after].line - 1))
        value = compiled(Core.eval, Main, softly(Expr(:toplevel, at, piece)))
        set_ans(value)
    end
    (value === nothing || REPL.ends_with_semicolon(code)) && return
    show_value(value)
end

function lines_in(code)
    lines, at = 0, findfirst(isequal(UInt8('\n')), codeunits(code))
    while at !== nothing
        lines, at = lines + 1, findnext(isequal(UInt8('\n')), codeunits(code), at + 1)
    end
    return lines
end

# At the prompt, the last value has this name.
set_ans(@nospecialize(value)) = ccall(:jl_set_global, Cvoid, (Any, Any, Any), Main, :ans, value)

function show_value(@nospecialize(value))
    size = (parse(Int, get(ENV, "LINES", "30")), parse(Int, get(ENV, "COLUMNS", "80")))
    io = IOContext(stdout, :limit => true, :displaysize => size, :module => Main)
    text = IOBuffer()
    compiled(show, IOContext(text, io), MIME"text/plain"(), value)
    shown = String(take!(text))
    isempty(shown) || println(stdout, shown)
end

# What `display` shows, in the middle of a piece of code too, looks as the last value does.
struct Prompt <: AbstractDisplay end
Base.display(::Prompt, value) = show_value(value)
Base.display(::Prompt, ::MIME"text/plain", value) = show_value(value)

run_script(code, file, line) = (compiled(include_string, Main, placed(code, line), file); nothing)

function problem(error, trace, file)
    line = nothing
    while error isa LoadError
        error.file == file && (line = error.line)
        error = error.error
    end
    found = HarnessWorker.fault("call", error, trace, file)
    kind = string(nameof(typeof(error)))
    occursin(r"^(syntax: |LoadError: syntax: )", found.message) && (kind = "syntax")
    message = kind == "syntax" || startswith(found.message, kind) ? found.message : "$kind: $(found.message)"
    # Functions of a file without a folder are in "./file" to older versions.
    ours = filter(frame -> string(frame.file) in (file, "./" * file), stacktrace(trace))
    at = isempty(ours) ? found.line : first(ours).line
    if at === nothing && line === nothing && error isa ErrorException
        place = match(r"^syntax: .* around .*:(\d+)$", found.message)
        place === nothing || (line = parse(Int, place[1]))
    end
    # An error without a place, such as of a package that is not there, is of the statement.
    begun = kind == "syntax" ? 0 : BEGUN[]
    return Dict{String,Any}("message" => message, "line" => something(at, line, begun), "kind" => kind)
end

function evaluate(params, _)
    SESSION.open || throw(Fault("protocol", "open comes first"))
    empty!(SESSION.plots)
    failed = nothing
    BEGUN[] = 0
    start = time_ns()
    try
        run = SESSION.mode == "prompt" ? run_prompt : run_script
        # A relative `include` is one beside the document, which the current folder is, and not beside this file.
        task_local_storage(:SOURCE_PATH, nothing) do
            run(params["code"], params["file"], params["line"])
        end
    catch error
        failed = Base.invokelatest(problem, error, catch_backtrace(), params["file"])
        failed["line"] == 0 && delete!(failed, "line")
    end
    seconds = (time_ns() - start) / 1e9
    Base.Libc.flush_cstdio()
    flush(stdout)
    flush(stderr)
    reply = Dict{String,Any}(
        "ok" => failed === nothing, "seconds" => seconds, "warnings" => Any[], "plots" => copy(SESSION.plots),
    )
    failed === nothing || (reply["error"] = failed)
    return reply, Any[]
end

# ---- get --------------------------------------------------------------------------------------------

# A list of arrays of one shape is an array whose last index counts them, as Julia's own `cat` makes it.
stacked(value) = value
function stacked(value::AbstractVector{<:AbstractArray})
    allequal = all(size(item) == size(first(value)) for item in value)
    return isempty(value) || !allequal ? value : cat(value...; dims = ndims(first(value)) + 1)
end

function get_values(params, _)
    SESSION.open || throw(Fault("protocol", "open comes first"))
    values, arrays = Any[], Any[]
    most = get(params, "most_bytes", 1 << 30)
    left = most
    for text in params["expressions"]
        given = try
            Base.invokelatest(() -> HarnessWorker.give(stacked(Core.eval(Main, Meta.parse(text)))))
        catch error
            sprint(showerror, error)
        end
        if given isa Array && sizeof(given) > left
            given = "it has $(sizeof(given)) bytes, and $most are taken at once: take a part of it (array_bytes of Limits)"
        end
        isarray = given isa Array
        isarray && (left -= sizeof(given))
        push!(values, isarray ? Dict("array" => true) : Dict("array" => false, "why" => first(given, 1000)))
        isarray && push!(arrays, given)
    end
    return Dict("values" => values), arrays
end

METHODS["open"] = open_session
METHODS["eval"] = evaluate
METHODS["get"] = (params, arrays) -> compiled(get_values, params, arrays)

end

HarnessWorker.interpreted(HarnessWorker.serve, HarnessWorker.read_json)

# Run a Julia program and record it: julia julia_recorder.jl TRACE PLAN PROGRAM ARGUMENT...
# The program's expressions are rewritten: values pass through a function that records them and returns them as they
# are, or, where the plan says so, what another program had there. The format is that of python_recorder.py.
# Standard library only; Julia 1.5 and newer.

module HarnessRecorder

Base.Experimental.@optlevel 0

const FIRST, LAST = 2000, 3
# Occurrences of what an expression is made of that are recorded, and bytes of them all.
const PARTS, PART_BYTES = 100, 64 << 20
const SITE_BYTES, ALL_BYTES, MOST_PARTS = 16 << 20, 192 << 20, 64

const OUT = Ref{IO}()
const SITES = Ref(0)
const FRAMES = Ref(0)
const CURRENT = Ref(0)
const FLUSHED = Ref(0.0)
const TOTAL = Ref(0)
const OF_PARTS = Ref(0)
const COUNTS = Int[]
const BYTES = Int[]
const PARENTS = Dict{Int,Int}(0 => 0)
const HELD = Dict{Int,Vector{Vector{UInt8}}}()
const PLAN = Dict{Int,Vector{Any}}()
# Of a trial, the sites that are recorded; without any all are.
const KEPT = Set{Int}()
kept(site) = isempty(KEPT) || site in KEPT
const SEEN = Dict{Tuple{Int,Int},UInt64}()

# The program is compiled, but rewriting it, which is done once, is not worth that: it is interpreted. The option of
# the command line is looked at whenever a method is first called.
function compiled(@nospecialize(make), wanted = true)
    at = findfirst(==(:compile_enabled), collect(fieldnames(Base.JLOptions)))
    at === nothing && return Base.invokelatest(make)
    option = Ptr{Int8}(cglobal(:jl_options, Base.JLOptions)) + fieldoffset(Base.JLOptions, at)
    before = unsafe_load(option)
    unsafe_store!(option, wanted ? COMPILES : Int8(3))
    try
        # What is called is not looked at before, which compiles it as a whole.
        return Base.invokelatest(make)
    finally
        unsafe_store!(option, before)
    end
end
const COMPILES = Int8(Base.JLOptions().compile_enabled)

clean(text) = replace(replace(text, r"[\t\n\r]" => " "), " " => "")
say(@nospecialize(words...)) = write(OUT[], join(map(string, Any[words...]), '\t') * "\n")

include("julia_values.jl")
include("julia_hooks.jl")
include("julia_syntax.jl")
include("julia_rewrite.jl")
include("julia_assign.jl")

function run_file(path)
    text = read(path, String)
    outer = AT.file
    AT.file = basename(path)
    parsed = Base.parse_input_line(text, filename = path)
    pieces = parsed isa Expr && parsed.head === :toplevel ? parsed.args : Any[parsed]
    at = LineNumberNode(1, Symbol(path))
    for piece in pieces
        if piece isa LineNumberNode
            at = piece
            AT.line = at.line
            continue
        end
        piece isa Expr && piece.head in (:error, :incomplete) && (AT.line = at.line; error("syntax: ", piece.args[1]))
        for statement in statements(piece, false)
            whole = Expr(:toplevel, at, statement)
            compiled(() -> Core.eval(Main, whole))
        end
    end
    AT.file = outer
    return nothing
end

function run_included(name)
    path = joinpath(dirname(task_local_storage(:SOURCE_PATH)), name)
    task_local_storage(() -> run_file(path), :SOURCE_PATH, path)
end

function finish(message, line)
    for held in values(HELD), item in held
        write(OUT[], item)
    end
    for (number, count) in enumerate(COUNTS)
        count > 0 && say("O", number, count)
    end
    isempty(message) || say("X", line, replace(message, r"[\t\n\r]" => " "))
    say("Z")
    close(OUT[])
end

function main(arguments)
    trace, plan, program = arguments[1:3]
    OUT[] = open(trace, "w")
    read_plan(plan)
    path = abspath(program)
    empty!(ARGS)
    append!(ARGS, arguments[4:end])
    Core.eval(Base, :(PROGRAM_FILE = $path))
    task_local_storage(:SOURCE_PATH, path)
    status = 0
    try
        run_file(path)
        finish("", 0)
    catch problem
        problem isa LoadError && (problem = problem.error)
        line = AT.line
        for frame in stacktrace(catch_backtrace())
            string(frame.file) == path && (line = frame.line; break)
        end
        message = sprint(showerror, problem)
        println(stderr, "ERROR: ", message)
        finish(first(split(message, "\n")), line)
        status = 1
    end
    flush(stdout)
    exit(status)
end

end

HarnessRecorder.compiled(() -> HarnessRecorder.main(copy(ARGS)), false)

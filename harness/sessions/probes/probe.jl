# Functions for detectors, in a module: the document's own names stay free.
module HarnessProbe

using Random

mutable struct Names
    sets::Vector{String}
    reads::Vector{String}
    inner::Vector{String}
end
Names() = Names(String[], String[], String[])

base_of(target) = target isa Expr && !isempty(target.args) ? base_of(target.args[1]) : target

function set!(found, target)
    if target isa Symbol
        push!(found.sets, string(target))
    elseif target isa Expr && target.head in (:tuple, :parameters)
        foreach(part -> set!(found, part), target.args)
    elseif target isa Expr && target.head in (:(::), :curly, :where)
        set!(found, target.args[1])
    elseif target isa Expr
        push!(found.sets, string(base_of(target)))
        foreach(part -> visit!(found, part), target.args)
    end
end

is_signature(e) = e isa Expr && (e.head === :call || (e.head in (:where, :(::)) && is_signature(e.args[1])))

function arguments!(names, e)
    if e isa Symbol
        push!(names, string(e))
    elseif e isa Expr && e.head in (:(::), :kw, :(=), :(...))
        arguments!(names, e.args[1])
    elseif e isa Expr
        foreach(part -> arguments!(names, part), e.args)
    end
end

function into_function!(found, signature, body)
    local_names = String[]
    if signature isa Expr && signature.head === :call
        foreach(part -> arguments!(local_names, part), signature.args[2:end])
    else
        arguments!(local_names, signature)
    end
    inside = Names()
    visit!(inside, body)
    append!(found.inner, setdiff(vcat(inside.reads, inside.inner), vcat(local_names, inside.sets)))
end

function visit!(found, e)
    if e isa Symbol
        push!(found.reads, string(e))
    elseif e isa Expr
        head, args = e.head, e.args
        if head in (:(=), :(.=)) && is_signature(args[1])
            push!(found.sets, string(base_of(args[1])))
            into_function!(found, args[1], args[2])
        elseif head === :function && length(args) == 2
            is_signature(args[1]) && push!(found.sets, string(base_of(args[1])))
            into_function!(found, args[1], args[2])
        elseif head === :->
            into_function!(found, args[1], args[2])
        elseif head === :(=)
            set!(found, args[1])
            visit!(found, args[2])
        elseif endswith(string(head), "=") && length(args) == 2 && !(head in (:(==), :(!=), :(<=), :(>=)))
            set!(found, args[1])
            visit!(found, args[1])
            visit!(found, args[2])
        elseif head === :.
            visit!(found, args[1])
            length(args) > 1 && args[2] isa Expr && visit!(found, args[2])
        elseif head === :kw
            visit!(found, args[2])
        elseif head in (:using, :import, :quote, :macro)
            return
        elseif head === :generator || head === :comprehension
            inside = Names()
            foreach(part -> visit!(inside, part), args)
            append!(found.reads, setdiff(inside.reads, inside.sets))
            append!(found.inner, setdiff(inside.inner, inside.sets))
        elseif head === :try
            length(args) > 1 && args[2] isa Symbol && push!(found.sets, string(args[2]))
            foreach(part -> part isa Expr && visit!(found, part), args)
        else
            foreach(part -> visit!(found, part), args)
        end
    end
    return
end

is_definition(e) = e.head in (:function, :struct, :abstract, :primitive, :macro, :module) || (e.head === :(=) && is_signature(e.args[1]))

# What a program is made of, also behind a docstring, a macro or a condition.
function kind_of(e)
    e isa Expr || return "other"
    e.head in (:using, :import, :export) && return "import"
    e.head === :call && e.args[1] === :include && return "import"
    e.head === :const && return "constant"
    is_definition(e) && return "definition"
    if e.head === :macrocall
        e.args[1] === Symbol("@enum") && return "definition"
        kind = kind_of(e.args[end])
        return kind in ("definition", "import") ? kind : "other"
    end
    inside = e.head === :if ? e.args[2:end] : e.head === :block ? e.args : Any[]
    inside = filter(part -> !(part isa LineNumberNode), inside)
    return !isempty(inside) && all(part -> kind_of(part) == "import", inside) ? "import" : "other"
end

function pieces(code)
    parsed = Base.parse_input_line(code, filename = "chunk")
    return parsed isa Expr && parsed.head === :toplevel ? parsed.args : Any[parsed]
end

# Where each one ends: before the next one begins, blank lines and comments aside.
function statements(code)
    lines = split(code, "\n")
    found, at = Tuple{Int,Any}[], 1
    for piece in pieces(code)
        if piece isa LineNumberNode
            at = piece.line
        elseif piece !== nothing
            push!(found, (at, piece))
        end
    end
    for (place, (line, piece)) in enumerate(found)
        stop = place < length(found) ? found[place+1][1] - 1 : length(lines)
        while stop > line && (isempty(strip(lines[stop])) || startswith(strip(lines[stop]), "#"))
            stop -= 1
        end
        names = Names()
        visit!(names, piece isa Expr && piece.head === :const ? piece.args[1] : piece)
        groups = [join(unique(group), " ") for group in (names.sets, names.reads, names.inner)]
        println(join(["statement", line, max(stop, line), kind_of(piece), groups...], "\t"))
    end
end

# Handlers that do nothing count what they are given.
const SWALLOWED = String[]
note(error) = push!(SWALLOWED, first(replace(sprint(showerror, error), r"\s+" => " "), 200))

empty_block(e) = e isa Expr && e.head === :block && all(part -> part isa LineNumberNode || part === nothing, e.args)

counting(e) = e
function counting(e::Expr)
    if e.head === :try && length(e.args) >= 3 && empty_block(e.args[3])
        name = e.args[2] isa Symbol ? e.args[2] : gensym("error")
        return Expr(:try, counting(e.args[1]), name, Expr(:block, :(Main.HarnessProbe.note($name)), nothing), e.args[4:end]...)
    end
    return Expr(e.head, map(counting, e.args)...)
end

function instrumented(code)
    for piece in pieces(code)
        piece isa LineNumberNode || Core.eval(Main, Main.HarnessSession.softly(Expr(:toplevel, counting(piece))))
    end
end

function report()
    counted = Dict{String,Int}()
    foreach(text -> counted[text] = get(counted, text, 0) + 1, SWALLOWED)
    for (text, count) in sort(collect(counted); by = last, rev = true)
        println("swallowed\t", count, "\t", text)
    end
end

function grow(name)
    value = getfield(Main, Symbol(name))
    value isa AbstractVector && return set!(name, vcat(value, value[end:end]))
    value isa AbstractMatrix && return set!(name, vcat(value, value[end:end, :]))
    error("neither a vector nor a matrix")
end
set!(name::String, value) = Core.eval(Main, :($(Symbol(name)) = $value))
longer(value) = value
longer(value::AbstractVector{<:Real}) = isempty(value) ? value : vcat(value, value[end:end])
longer(value::AbstractMatrix{<:Real}) = isempty(value) ? value : vcat(value, value[end:end, :])

# A function's definition again: what it returns is longer.
function lengthened(code)
    for piece in pieces(code)
        (piece isa Expr && piece.head in (:function, :(=)) && length(piece.args) == 2) || continue
        body = :(Main.HarnessProbe.longer((() -> $(piece.args[2]))()))
        Core.eval(Main, Expr(piece.head, piece.args[1], Expr(:block, body)))
    end
end

seed() = Random.seed!(0)

# Arguments that a function's body does not name.
function unused(code)
    for piece in pieces(code)
        (piece isa Expr && piece.head in (:function, :(=)) && length(piece.args) == 2) || continue
        signature = piece.args[1]
        while signature isa Expr && signature.head in (:where, :(::))
            signature = signature.args[1]
        end
        (signature isa Expr && signature.head === :call) || continue
        given = String[]
        foreach(part -> part isa Symbol && push!(given, string(part)), signature.args[2:end])
        inside = Names()
        visit!(inside, piece.args[2])
        foreach(println, setdiff(given, vcat(inside.reads, inside.inner, inside.sets)))
    end
end

struct Unread end
const COUNTED = Dict{String,Int}()
count!(name) = COUNTED[name] = get(COUNTED, name, 0) + 1

# A function's definition again, whose arguments of these names are nothing that anything can be done with.
function blanked(name, arguments, code)
    for piece in pieces(code)
        (piece isa Expr && piece.head in (:function, :(=)) && length(piece.args) == 2) || continue
        lost = [:($(Symbol(each)) = Main.HarnessProbe.Unread()) for each in split(arguments)]
        body = Expr(:block, :(Main.HarnessProbe.count!($name)), lost..., piece.args[2])
        Core.eval(Main, Expr(piece.head, piece.args[1], body))
    end
end
calls() = foreach(((name, count),) -> println("calls\t", name, "\t", count), collect(COUNTED))

function generators()
    for name in names(Main)
        value = isdefined(Main, name) ? getfield(Main, name) : nothing
        value isa AbstractRNG && println("generator\t", name)
    end
end

const SEEN = Tuple{String,String}[]
function shape(key, value)
    length(SEEN) < 20000 && applicable(size, value) && push!(SEEN, (key, join(size(value), " ")))
    return value
end
shapes() = foreach(((key, sizes),) -> println("shape\t", key, "\t", sizes), SEEN)

# The sums of a matrix's rows and columns, and single numbers, kept where they are computed.
const KEPT = String[]
keep(fields...) = (push!(KEPT, join(fields, "\t")); nothing)
ends(values) = join(map(Float64, extrema(values)), "\t")
factor(key, value) = value
function factor(key, value::AbstractMatrix{<:Real})
    (length(KEPT) >= 2000 || isempty(value)) && return value
    try
        plain = all(i[1] == i[2] || iszero(value[i]) for i in CartesianIndices(value)) || all(x -> iszero(x) || isone(x), value)
        keep("factor", key, size(value, 1), size(value, 2), ends(value), ends(sum(value; dims=2)), ends(sum(value; dims=1)), Int(plain))
    catch
    end
    return value
end
latest(key, value) = nothing
latest(key, value::Real) = length(KEPT) < 20000 ? keep("latest", key, Float64(value)) : nothing
keepsakes() = foreach(println, KEPT)

is_exported(name) = isdefined(Base, name) && Base.isexported(Base, name)
exported(names) = foreach(name -> is_exported(name) && println("exported\t", name), map(Symbol, split(names)))

# Names that Base exports, and that are something else now.
function masked(names)
    for name in map(Symbol, split(names))
        (isdefined(Main, name) && is_exported(name)) || continue
        now, before = getfield(Main, name), getfield(Base, name)
        now === before && continue
        println("masked\t", name, "\tof type ", typeof(now), "\t", before isa Function ? "a function" : repr(before))
    end
end

# Central differences of a function of one array, at the array.
function differences(loss, at, step)
    found = zeros(Float64, size(at))
    for i in eachindex(at)
        up, down = copy(at), copy(at)
        up[i] += step
        down[i] -= step
        found[i] = (Base.invokelatest(loss, up) - Base.invokelatest(loss, down)) / (2step)
    end
    return found
end

end

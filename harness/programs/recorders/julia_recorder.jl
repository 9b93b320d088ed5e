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

clean(text) = replace(replace(text, r"[\t\n\r]" => " "), " " => "")
say(words...) = (join(OUT[], words, '\t'); write(OUT[], '\n'))

# ---- values -----------------------------------------------------------------------------------------

struct Part
    path::String
    type::String
    shape::Tuple
    data::Vector{UInt8}
end

bytes(values::Array{T}) where {T} = collect(reinterpret(UInt8, vec(values)))
quoted(text) = "\"" * replace(replace(replace(text, "\\" => "\\\\"), "\"" => "\\\""), r"[[:cntrl:]]" => " ") * "\""

one_value(value, path) = is_time(typeof(value)) ? Part(path, "f8", (), bytes([days_of(value)])) : nothing
one_value(value::Bool, path) = Part(path, "b1", (), UInt8[value])
one_value(value::Union{Int8,Int16,Int32,Int64,UInt8,UInt16,UInt32,UInt64}, path) =
    typemin(Int64) <= value <= typemax(Int64) ? Part(path, "i8", (), bytes([Int64(value)])) : nothing
one_value(value::Float32, path) = Part(path, "f4", (), bytes([value]))
one_value(value::Real, path) = (value isa Irrational || value isa Rational || value isa AbstractFloat) ? Part(path, "f8", (), bytes([Float64(value)])) : nothing
one_value(value::Complex, path) = Part(path, "c16", (), bytes([ComplexF64(value)]))
one_value(value::AbstractString, path) = Part(path, "s", (), Vector{UInt8}("[" * quoted(String(value)) * "]"))
# Days since 1970, and seconds where they are not whole, as in the other languages.
days_of(value) = nameof(typeof(value)) === :Date ? Float64(value.instant.periods.value - 719163) :
    (seconds = (value.instant.periods.value - 62135683200000) / 1000; seconds % 86400 == 0 ? seconds / 86400 : seconds)
is_time(kind) = kind isa DataType && nameof(kind) in (:Date, :DateTime) && nameof(parentmodule(kind)) === :Dates
function one_value(value::AbstractArray, path)
    is_time(eltype(value)) && return Part(path, "f8", size(value), bytes(Float64[days_of(item) for item in value]))
    length(value) * 8 > SITE_BYTES && return nothing
    shape = size(value)
    kind = eltype(value)
    kind <: Bool && return Part(path, "b1", shape, collect(reinterpret(UInt8, vec(Array{Bool}(value)))))
    kind <: Integer && isconcretetype(kind) && sizeof(kind) <= 8 && return Part(path, "i8", shape, bytes(Array{Int64}(value)))
    kind <: Float32 && return Part(path, "f4", shape, bytes(Array{Float32}(value)))
    kind <: Real && isconcretetype(kind) && return Part(path, "f8", shape, bytes(Array{Float64}(value)))
    kind <: Complex && return Part(path, "c16", shape, bytes(Array{ComplexF64}(value)))
    isempty(value) && return nothing
    if all(item -> item isa AbstractString, value)
        return Part(path, "s", shape, Vector{UInt8}("[" * join((quoted(String(item)) for item in vec(collect(value))), ",") * "]"))
    end
    if all(item -> item isa Union{Real,Missing}, value)
        return Part(path, "f8", shape, bytes(Float64[item === missing ? NaN : item for item in value]))
    end
    if value isa AbstractVector && all(item -> item isa AbstractArray{<:Real}, value)
        same = all(size(item) == size(value[1]) for item in value)
        same && ndims(value[1]) == 1 && return one_value(permutedims(reduce(hcat, value)), path)
    end
    return nothing
end
one_value(value::Union{AbstractRange}, path) = one_value(collect(value), path)

function parts_of!(found, value, path, depth)
    (length(found) >= MOST_PARTS || value === nothing || value isa Union{Function,Type,Module,IO}) && return
    part = one_value(value, path)
    if part !== nothing
        push!(found, part)
        return
    end
    depth >= 3 && return
    if value isa NamedTuple
        for name in keys(value)
            parts_of!(found, value[name], "$path.$name", depth + 1)
        end
    elseif value isa Union{Tuple,AbstractVector}
        for (number, item) in enumerate(Iterators.take(value, MOST_PARTS))
            parts_of!(found, item, "$path[$number]", depth + 1)
        end
    elseif value isa AbstractDict
        # Of numbers by name: they are a vector as well.
        if valtype(value) <: Real && isconcretetype(valtype(value)) && length(value) > 1
            parts_of!(found, valtype(value)[value[key] for key in sort!(collect(keys(value)); by = string)], path, depth + 1)
            length(value) > 16 && return
        end
        for key in sort!(collect(keys(value)); by = string)
            parts_of!(found, value[key], "$path[$(repr(key))]", depth + 1)
        end
    elseif parentmodule(typeof(value)) === Main || nameof(parentmodule(typeof(value))) === :LinearAlgebra
        for name in fieldnames(typeof(value))
            isdefined(value, name) && parts_of!(found, getfield(value, name), "$path.$name", depth + 1)
        end
    elseif nameof(typeof(value)) === :DataFrame
        for name in names(value)
            parts_of!(found, value[!, name], "$path.$name", depth + 1)
        end
    end
end

function encoded(frame, site, count, parts)
    io = IOBuffer()
    write(io, "E\t$site\t$frame\t$count\t$(length(parts))\n")
    for part in parts
        write(io, "V\t", clean(part.path), "\t", part.type, "\tF\t", join(part.shape, "x"), "\t", string(length(part.data)), "\n")
        write(io, part.data)
    end
    take!(io)
end

function record(frame, site, count, @nospecialize(value))
    parts = Part[]
    parts_of!(parts, value, "", 0)
    isempty(parts) && return
    size = sum(length(part.data) for part in parts)
    size > SITE_BYTES && return
    if count > FIRST || BYTES[site] + size > SITE_BYTES || TOTAL[] + size > ALL_BYTES
        held = get!(HELD, site, Vector{UInt8}[])
        push!(held, encoded(frame, site, count, parts))
        length(held) > LAST && popfirst!(held)
        return
    end
    BYTES[site] += size
    TOTAL[] += size
    write(OUT[], encoded(frame, site, count, parts))
    # The program may be ended from outside.
    if time() - FLUSHED[] > 0.5
        flush(OUT[])
        FLUSHED[] = time()
    end
    return
end

# ---- values to put in -------------------------------------------------------------------------------

function read_plan(path)
    path == "-" && return
    open(path) do io
        current = Any[]
        while !eof(io)
            words = split(readline(io), '\t')
            # One trial for each run.
            words[1] in ("L", "T") && continue
            words[1] == "K" && (union!(KEPT, parse.(Int, split(words[2]))); continue)
            if words[1] == "P"
                current = get!(PLAN, parse(Int, words[2]), Any[])
                continue
            end
            data = read(io, parse(Int, words[6]))
            if words[3] == "-"
                push!(current, nothing)
                continue
            end
            shape = Tuple(parse(Int, size) for size in split(words[5], 'x') if !isempty(size))
            kind = Dict("f8" => Float64, "f4" => Float32, "i8" => Int64, "c16" => ComplexF64)
            values = words[3] == "b1" ? Bool.(data) : words[3] == "s" ? nothing : collect(reinterpret(kind[words[3]], data))
            push!(current, values === nothing ? nothing : (values, shape))
        end
    end
end

fitted(own::T, values, shape) where {T<:Number} = try convert(T, values[1]) catch; own end
function fitted(own::T, values, shape) where {T<:AbstractArray}
    made = length(values) == length(own) ? reshape(values, size(own)) : reshape(values, shape)
    try convert(T, collect(made)) catch; try convert(T, eltype(own).(made)) catch; own end end
end
fitted(own, values, shape) = own

# ---- hooks ------------------------------------------------------------------------------------------

function enter()
    FRAMES[] += 1
    PARENTS[FRAMES[]] = CURRENT[]
    say("F", FRAMES[], CURRENT[])
    CURRENT[] = FRAMES[]
end
leave(frame) = (CURRENT[] = get(PARENTS, frame, 0); nothing)

@noinline function val(frame::Int, site::Int, value::T)::T where {T}
    CURRENT[] = frame
    count = COUNTS[site] += 1
    if !isempty(PLAN) && haskey(PLAN, site) && count <= length(PLAN[site]) && PLAN[site][count] !== nothing
        value = fitted(value, PLAN[site][count]...)::T
    end
    kept(site) && (count <= FIRST || count % 64 < LAST) && record(frame, site, count, value)
    return value
end
@noinline function part(frame::Int, site::Int, value::T)::T where {T}
    CURRENT[] = frame
    # Of a trial, the results count.
    isempty(PLAN) || haskey(PLAN, site) || site in KEPT || return value
    count = COUNTS[site] += 1
    if haskey(PLAN, site) && count <= length(PLAN[site]) && PLAN[site][count] !== nothing
        value = fitted(value, PLAN[site][count]...)::T
    end
    kept(site) && count <= PARTS && OF_PARTS[] < PART_BYTES && !(value isa AbstractString) && record_part(frame, site, count, value)
    return value
end
@noinline function record_part(frame, site, count, @nospecialize(value))
    parts = Part[]
    parts_of!(parts, value, "", 0)
    isempty(parts) && return
    OF_PARTS[] += sum(length(part.data) for part in parts)
    write(OUT[], encoded(frame, site, count, parts))
    return
end
@noinline function ret(frame::Int, site::Int, value::T)::T where {T}
    made = val(frame, site, value)
    leave(frame)
    return made
end
# That a statement's calls have ended: an event without a value.
@noinline function called(frame::Int, site::Int, value::T)::T where {T}
    CURRENT[] = frame
    (COUNTS[site] += 1) <= FIRST && isempty(KEPT) && say("E", site, frame, COUNTS[site], 0)
    return value
end
function again(frame, site, value)
    value isa Union{AbstractArray,AbstractDict} || return
    COUNTS[site] < FIRST || return
    count = COUNTS[site] += 1
    record(frame, site, count, value)
    return
end

# ---- rewriting --------------------------------------------------------------------------------------

mutable struct Context
    file::String
    line::Int
    fn::String
    control::Vector{Int}
    loops::Int
    elements::Vector{Pair{Symbol,Int}}
    parts::Vector{Int}
    # What comprehensions go over; functions around this one, from the inside; its variables, and those of others
    # that it sees.
    over::Vector{Any}
    around::Vector{String}
    own::Set{Symbol}
    outer::Set{Symbol}
end
const AT = Context("", 1, "", Int[], 0, Pair{Symbol,Int}[], Int[], Any[], String[], Set{Symbol}(), Set{Symbol}())
const FRAME = Symbol("#hr_frame")

walk(visit, e) = (visit(e); e isa Expr && foreach(item -> walk(visit, item), e.args); nothing)
dotted(e) = e isa Symbol ? string(e) : e isa Expr && e.head === :. && length(e.args) == 2 && e.args[2] isa QuoteNode ?
    (inner = dotted(e.args[1]); isempty(inner) ? "" : "$inner.$(e.args[2].value)") : ""
root(e) = e isa Expr && e.head in (:ref, :.) ? root(e.args[1]) : e

function reads_of(e)
    found = String[]
    walk(e) do item
        name = dotted(item)
        isempty(name) || push!(found, name)
    end
    filter(name -> !startswith(name, "#"), unique(found))
end
function operators_of(e)
    found = String[]
    walk(e) do item
        if item isa Expr && item.head in (:call, :.) && !isempty(item.args)
            name = string(item.args[1])
            name == "-" && length(item.args) == 2 && (name = "neg")
            item.head === :. && length(item.args) == 2 && item.args[2] isa QuoteNode && return
            push!(found, name)
        elseif item isa Expr && item.head in (Symbol("'"), :comparison, :&&, :||, :ref)
            item.head === :comparison ? append!(found, string.(item.args[2:2:end])) : push!(found, string(item.head))
        elseif item isa Number && !(item isa Bool)
            push!(found, "#$(isinteger(item) && abs(item) < 1e15 ? Int(item) : item)")
        end
    end
    unique(filter(name -> !occursin(r"\s", name), found))
end
# Whether what a function sets is a variable of a function around it, or of the program.
beyond(kind, name) = kind in ("set", "element", "container") && Symbol(first(split(name, ('.', '[')))) in AT.outer
function site(kind, name, e, parts = Int[], element = "")
    isempty(AT.over) || e === nothing || (e = Expr(:tuple, e, AT.over...))
    number = SITES[] += 1
    push!(COUNTS, 0)
    push!(BYTES, 0)
    say("S", number, AT.file, AT.line, kind, clean(name), AT.fn, join(reads_of(e), ' '), join(operators_of(e), ' '), join(vcat(AT.control, parts), ' '),
        join(AT.around, ' '), Int(beyond(kind, name)), clean(element))
    return number
end
frame() = isempty(AT.fn) ? 0 : FRAME
call(hook, number, e) = Expr(:call, GlobalRef(HarnessRecorder, hook), frame(), number, e)
is_function(e) = e isa Expr && (e.head === :-> || e.head === :function)
is_signature(e) = e isa Expr && (e.head === :call || (e.head in (:where, :(::)) && is_signature(e.args[1])))
const PRINTING = (:println, :print, :show, :display, :string, :round, :rpad, :lpad)

# What they make is no data, or just what they were given.
const NO_DATA = Set([:(:), :length, :size, :zeros, :ones, :similar, :copy, :string, :println, :print, :Ref, :eachindex, :axes, :enumerate,
    :zip, :range, :collect, :fill, :Vector, :Array, :Dict, :Set, :typeof, :isa, :eltype, :get, :keys, :values, :open, :split, :strip, :join,
    :readlines, :readline, :eachline, :push!, :error, :throw, :lowercase, :uppercase, :replace, :pairs, :eachrow, :eachcol, :skip, :transpose,
    :adjoint, :seed!, :MersenneTwister, :iterate, :isempty, :ndims, :undef, :Tuple, :NamedTuple, :(=>), :view, :haskey, :parse, :convert, :new])
const SLICING = (:(:), :>, :<, :>=, :<=, :(==), :!=, :.>, :.<, :.>=, :.<=, :.==, :.!=, :sortperm, :findall)

function is_part(e)
    e isa Expr || return false
    if e.head === :call
        name = e.args[1]
        name isa Symbol || return !isempty(dotted(name))
        name in NO_DATA && return false
        return !(name in (:-, :+) && length(e.args) == 2 && e.args[2] isa Number) && length(e.args) > 1 && !endswith(string(name), "!")
    elseif e.head === :.
        return length(e.args) == 2 && e.args[2] isa Expr && e.args[2].head === :tuple
    elseif e.head === :ref
        return any(item -> item === :(:) || item isa Expr && item.head === :call && item.args[1] in SLICING, e.args[2:end])
    end
    return e.head in (:comparison, :comprehension)
end

# A piece of an expression; what it gives is recorded.
function piece(e)
    e isa Expr || return e
    e.head in (:kw, :parameters, :...) && return Expr(e.head, e.head === :kw ? e.args[1] : piece(e.args[1]), map(piece, e.args[2:end])...)
    is_part(e) || return inside(e)
    outer = AT.parts
    AT.parts = Int[]
    done = inside(e)
    text = replace(string(e), r"\s+" => " ")
    number = site("part", length(text) > 48 ? first(text, 45) * "..." : text, e, AT.parts)
    AT.parts = push!(outer, number)
    return call(:part, number, done)
end

# Functions inside of an expression, and what it is made of.
function inside(e)
    e isa Expr || return e
    e.head in (:quote, :inert, :macrocall) && return e
    e.head === :typed_comprehension && return Expr(e.head, e.args[1], comprehension(e.args[2]))
    e.head === :comprehension && return Expr(e.head, comprehension(e.args[1]))
    e.head in (:generator, :flatten) && return comprehension(e)
    if e.head === :(=) && length(e.args) == 2 && e.args[1] isa Symbol
        # a = b = value
        return Expr(:(=), e.args[1], recorded(:val, "set", string(e.args[1]), e.args[2], e.args[2]))
    end
    is_function(e) && return a_function(e, "function")
    e.head in (:if, :for, :while, :let, :try) && return as_value(() -> Expr(:block, statements(e, false)...))
    if e.head === :do
        return Expr(:do, Expr(e.args[1].head, map(inside, e.args[1].args)...), a_function(e.args[2], "do"))
    end
    e.head === :block && return as_value(() -> body(e, false))
    e.head === :call && return Expr(:call, e.args[1] isa Symbol ? e.args[1] : inside(e.args[1]), map(piece, e.args[2:end])...)
    if e.head === :. && length(e.args) == 2 && e.args[2] isa Expr && e.args[2].head === :tuple
        return Expr(:., inside(e.args[1]), Expr(:tuple, map(piece, e.args[2].args)...))
    end
    # Where an index says end, it is the end of what it is of.
    e.head === :ref && return Expr(:ref, piece(e.args[1]), e.args[2:end]...)
    e.head === :comparison && return Expr(:comparison, (isodd(k) ? piece(item) : item for (k, item) in enumerate(e.args))...)
    if e.head === :tuple
        return Expr(:tuple, (item isa Expr && item.head === :(=) ? Expr(:(=), item.args[1], piece(item.args[2])) : piece(item) for item in e.args)...)
    end
    e.head in (:&&, :||, :vect, :hcat, :vcat, :row, Symbol("'")) && return Expr(e.head, map(piece, e.args)...)
    return Expr(e.head, map(inside, e.args)...)
end

# Statements that have a value: what is made in them is what it is made of.
function as_value(make)
    first_site, line = SITES[], AT.line
    done = make()
    AT.line = line
    append!(AT.parts, first_site+1:SITES[])
    return done
end

# The elements of a comprehension, and what it goes over.
function comprehension(e)
    e isa Expr && e.head === :flatten && return Expr(:flatten, comprehension(e.args[1]))
    e isa Expr && e.head === :generator || return inside(e)
    specs = map(e.args[2:end]) do spec
        spec isa Expr && spec.head === :filter ? Expr(:filter, spec.args[1], map(goes_over, spec.args[2:end])...) : goes_over(spec)
    end
    known = length(AT.over)
    for spec in e.args[2:end]
        append!(AT.over, spec isa Expr && spec.head === :filter ? spec.args : Any[spec])
    end
    element = e.args[1]
    done = element isa Expr && element.head in (:generator, :flatten) ? comprehension(element) : piece(element)
    resize!(AT.over, known)
    return Expr(:generator, done, specs...)
end
goes_over(spec) = spec isa Expr && spec.head in (:(=), :in) ? Expr(spec.head, spec.args[1], piece(spec.args[2])) : spec

# Which element is set, where it has a name.
named_element(target) = length(target.args) == 2 && target.args[2] isa Union{String,QuoteNode} ? "[$(repr(target.args[2] isa QuoteNode ? target.args[2].value : target.args[2]))]" : ""

# A hook with an expression, whose parts are recorded too.
function recorded(hook, kind, name, reads, value, element = "")
    outer = AT.parts
    AT.parts = Int[]
    done = inside(value)
    number = site(kind, name, reads, AT.parts, element)
    AT.parts = outer
    return call(hook, number, done)
end

names_of(e) = e isa Symbol ? [e] : e isa Expr && e.head in (:(::), :kw, :...) && !isempty(e.args) ? names_of(e.args[1]) :
    e isa Expr && e.head in (:tuple, :parameters, :block) ? vcat(Symbol[], map(names_of, filter(item -> !(item isa LineNumberNode), e.args))...) : Symbol[]
signature(e) = e isa Expr && e.head in (:where, :(::)) ? signature(e.args[1]) : e

# What a function is made of, without the functions in it.
function own_parts(e, found = Expr[])
    e isa Expr || return found
    push!(found, e)
    foreach(item -> is_function(item) || item isa Expr && item.head === :(=) && is_signature(item.args[1]) || own_parts(item, found), e.args)
    return found
end
function set_in(e)
    found = Set{Symbol}()
    for item in own_parts(e)
        is_assignment(item) && union!(found, names_of(item.args[1]))
    end
    return found
end
is_assignment(e) = e isa Expr && length(e.args) == 2 && endswith(string(e.head), "=") && !(string(e.head) in ("==", "!=", "<=", ">=", ".==", "==="))

function a_function(e, name)
    e.head === :function && length(e.args) < 2 && return e
    outer = (AT.fn, AT.control, AT.loops, AT.elements, AT.line, AT.parts, AT.around, AT.own, AT.outer)
    head = signature(e.args[1])
    arguments = e.head === :-> || (head isa Expr && head.head === :tuple) ? names_of(head) :
        head isa Expr && head.head === :call ? vcat(Symbol[], map(names_of, head.args[2:end])...) : Symbol[]
    head isa Expr && head.head === :call && (name = dotted(head.args[1]) == "" ? name : dotted(head.args[1]))
    AT.around = isempty(AT.fn) ? String[] : [AT.fn; AT.around]
    declared(how) = reduce(union!, (names_of(Expr(:tuple, item.args...)) for item in own_parts(e.args[2]) if item.head === how); init = Set{Symbol}())
    AT.outer = union(setdiff(union(AT.outer, AT.own), arguments, declared(:local)), declared(:global))
    AT.own = setdiff(union(set_in(e.args[2]), arguments), AT.outer)
    AT.fn, AT.control, AT.loops, AT.elements, AT.parts = name, Int[], 0, Pair{Symbol,Int}[], Int[]
    first_lines = Any[:($FRAME = $(GlobalRef(HarnessRecorder, :enter))())]
    for argument in arguments
        string(argument) == "_" && continue
        push!(first_lines, Expr(:(=), argument, call(:val, site("param", string(argument), nothing), argument)))
    end
    # An argument is recorded, not set anew: it would become a box in closures.
    first_lines = map(item -> item.args[1] === FRAME ? item : item.args[2], first_lines)
    inner = e.args[2]
    inner = inner isa Expr && inner.head === :block ? inner : Expr(:block, inner)
    done = body(inner, true)
    AT.fn, AT.control, AT.loops, AT.elements, AT.line, AT.parts, AT.around, AT.own, AT.outer = outer
    return Expr(e.head, e.args[1], Expr(:block, first_lines..., done.args...))
end

function body(e, last)
    made = Any[]
    items = e.args
    final = findlast(item -> !(item isa LineNumberNode), items)
    for (number, item) in enumerate(items)
        if item isa LineNumberNode
            AT.line = item.line
            push!(made, item)
        else
            append!(made, statements(item, last && number == final))
        end
    end
    return Expr(:block, made...)
end
block(e) = e isa Expr && e.head === :block ? e : Expr(:block, e)

function assignment(e, last)
    target, value = e.args[1], e.args[2]
    if is_signature(target)
        return Any[a_function(e, "function")]
    end
    if target isa Symbol && is_function(value)
        return Any[Expr(:(=), target, a_function(value, string(target)))]
    end
    if e.head !== :(=) && !startswith(string(e.head), ".")
        # x += v is x = x + v.
        operator = Symbol(string(e.head)[1:end-1])
        plain = target isa Symbol || !any(item -> item isa Expr && item.head === :call && !(item.args[1] in (:+, :-, :*)), vcat(Any[], target.args[2:end]))
        plain || return Any[Expr(e.head, target, inside(value))]
        value = Expr(:call, operator, target, value)
    elseif e.head !== :(=)
        number = site("set", dotted(root(target)), Expr(:call, Symbol(string(e.head)[1:end-1]), target, value))
        AT.loops > 0 && target isa Expr && push!(AT.elements, root(target) => number)
        made = Any[Expr(e.head, target, inside(value))]
        target isa Expr && AT.loops > 0 || push!(made, call(:val, number, root(target)))
        return made
    end
    if target isa Expr && target.head === :(::) && target.args[1] isa Symbol
        return Any[Expr(:(=), target, recorded(:val, "set", string(target.args[1]), value, value))]
    end
    name = dotted(target)
    if !isempty(name)
        return Any[Expr(:(=), target, recorded(:val, "set", name, value, value))]
    end
    if target isa Expr && target.head === :ref && root(target) isa Symbol
        base = root(target)
        element = recorded(:val, "element", "$base[]", Expr(:tuple, value, target.args[2:end]...), value, named_element(target))
        container = site("container", string(base), Expr(:tuple, value, target.args[2:end]...))
        made = Any[Expr(:(=), target, element)]
        AT.loops > 0 ? push!(AT.elements, base => container) : last || push!(made, call(:val, container, base))
        return made
    end
    if target isa Expr && target.head === :tuple
        made = Any[Expr(:(=), target, inside(value))]
        for name in names_of(target)
            last || string(name) == "_" || push!(made, Expr(:(=), name, call(:val, site("set", string(name), value), name)))
        end
        return made
    end
    return Any[Expr(e.head, target, inside(value))]
end

function loop(e)
    outermost = AT.loops == 0
    outermost && (AT.elements = Pair{Symbol,Int}[])
    outer = copy(AT.control)
    head = Any[]
    first_part = e.args[1]
    if e.head === :while
        first_part = recorded(:val, "test", "while", e.args[1], e.args[1])
        push!(AT.control, first_part.args[3])
    else
        specs = e.args[1] isa Expr && e.args[1].head === :block ? e.args[1].args : Any[e.args[1]]
        made = Any[]
        for spec in specs
            if spec isa Expr && spec.head in (:(=), :in)
                over = recorded(:val, "iterates", "for", spec.args[2], spec.args[2])
                for name in names_of(spec.args[1])
                    string(name) == "_" && continue
                    number = site("loop", string(name), spec.args[2])
                    push!(AT.control, number)
                    push!(head, call(:val, number, name))
                end
                push!(made, Expr(spec.head, spec.args[1], over))
            else
                push!(made, spec)
            end
        end
        first_part = length(made) == 1 ? made[1] : Expr(:block, made...)
    end
    AT.loops += 1
    done = body(block(e.args[2]), false)
    AT.loops -= 1
    AT.control = outer
    after = Any[]
    if outermost
        for base in unique(first.(AT.elements))
            number = AT.elements[findlast(pair -> pair.first === base, AT.elements)].second
            # What only the loop knows is gone when it ends.
            push!(after, Expr(:if, Expr(:isdefined, base), call(:val, number, base)))
        end
        AT.elements = Pair{Symbol,Int}[]
    end
    return Any[Expr(e.head, first_part, Expr(:block, head..., done.args...)), after...]
end

function shown(e)
    if e isa Expr && e.head === :call && e.args[1] in PRINTING
        rest = e.args[1] in (:round, :rpad, :lpad) ? e.args[3:end] : Any[]
        until = isempty(rest) ? length(e.args) : 2
        return Expr(:call, e.args[1], map(shown, e.args[2:until])..., rest...)
    end
    if e isa Expr && e.head === :. && e.args[1] === :round && e.args[2] isa Expr
        rest = e.args[2].args
        return Expr(:., :round, Expr(:tuple, rest[1] isa Expr && rest[1].head === :parameters ? rest[1] : shown(rest[1]), (rest[1] isa Expr && rest[1].head === :parameters ? map(shown, rest[2:end]) : rest[2:end])...))
    end
    e isa Expr && e.head === :string && return Expr(:string, map(shown, e.args)...)
    e isa Expr && e.head in (:parameters, :kw, :macrocall, :quote, :...) && return e
    e isa Union{Symbol,Expr} || return e
    e in (:stdout, :stderr) && return e
    return recorded(:val, "shown", isempty(dotted(e)) ? "shown" : dotted(e), e, e)
end

let_bindings(e) = !(e isa Expr) ? e : e.head === :block ? Expr(:block, map(let_bindings, e.args)...) :
    e.head === :(=) && e.args[1] isa Symbol ? Expr(:(=), e.args[1], recorded(:val, "set", string(e.args[1]), e.args[2], e.args[2])) : e

# What the fields of a struct are if nothing else is given.
function field_defaults(e)
    name = e.args[2] isa Expr ? first(names_of(Expr(:tuple, e.args[2].args[1]))) : e.args[2]
    fields = map(e.args[3].args) do item
        item isa LineNumberNode && (AT.line = item.line)
        item isa Expr && item.head === :(=) && length(names_of(item.args[1])) == 1 || return item
        Expr(:(=), item.args[1], recorded(:val, "set", string(name, '.', names_of(item.args[1])[1]), item.args[2], item.args[2]))
    end
    return Expr(:struct, e.args[1], e.args[2], Expr(:block, fields...))
end

function statements(e, last)
    finish(value) = last && !isempty(AT.fn) ? Any[recorded(:ret, "return", AT.fn, value, value)] :
        value isa Expr && value.head === :call ? Any[recorded(:called, "call", "call", value, value)] : Any[inside(value)]
    e isa Expr || return e isa Union{Symbol,Number} && last ? finish(e) : Any[e]
    if e.head === :(=) || is_assignment(e)
        return assignment(e, last)
    elseif e.head in (:for, :while)
        done = loop(e)
        return last ? push!(done, nothing) : done
    elseif e.head in (:if, :elseif)
        test = recorded(:val, "test", "if", e.args[1], e.args[1])
        number = test.args[3]
        outer = copy(AT.control)
        push!(AT.control, number)
        branches = map(e.args[2:end]) do branch
            branch isa Expr && branch.head === :elseif ? statements(branch, last)[1] : body(block(branch), last)
        end
        AT.control = outer
        return Any[Expr(e.head, test, branches...)]
    elseif e.head === :function
        return Any[a_function(e, "function")]
    elseif e.head === :block
        return Any[body(e, last)]
    elseif e.head === :return
        value = isempty(e.args) ? nothing : e.args[1]
        value === nothing && return Any[e]
        return Any[Expr(:return, recorded(:ret, "return", AT.fn, value, value))]
    elseif e.head === :let
        return Any[Expr(:let, let_bindings(e.args[1]), body(block(e.args[2]), last))]
    elseif e.head === :try
        return Any[Expr(:try, (item isa Expr && item.head === :block ? body(item, last && k < 4) : item for (k, item) in enumerate(e.args))...)]
    elseif e.head in (:&&, :||) && (!last || e.args[2] isa Expr && e.args[2].head === :return) && e.args[2] isa Expr
        test = recorded(:val, "test", "if", e.args[1], e.args[1])
        outer = copy(AT.control)
        push!(AT.control, test.args[3])
        done = statements(e.args[2], false)
        AT.control = outer
        return Any[Expr(e.head, test, length(done) == 1 ? done[1] : Expr(:block, done...))]
    elseif e.head in (:const, :global, :local) && e.args[1] isa Expr && e.args[1].head === :(=)
        done = assignment(e.args[1], false)
        return Any[Expr(e.head, done[1]), done[2:end]...]
    elseif e.head === :macrocall
        name = string(e.args[1])
        if name in ("@inbounds", "@simd", "@time", "@views") && e.args[end] isa Expr && (e.args[end].head in (:for, :while, :block) || is_assignment(e.args[end]))
            return Any[Expr(:macrocall, e.args[1:end-1]..., Expr(:block, statements(e.args[end], false)...))]
        elseif occursin("@printf", name)
            given = [item isa String || item isa LineNumberNode ? item : shown(item) for item in e.args[2:end]]
            return Any[Expr(:macrocall, e.args[1], given...)]
        elseif name in ("@.", "@__dot__") && is_assignment(e.args[end]) && root(e.args[end].args[1]) isa Symbol
            target = e.args[end].args[1]
            base = root(target)
            number = site(target isa Symbol ? "set" : "container", string(base), e.args[end].head === :(=) ? e.args[end].args[2] : Expr(:tuple, e.args[end].args...))
            target isa Expr && AT.loops > 0 || return Any[e, call(:val, number, base)]
            push!(AT.elements, base => number)
            return Any[e]
        elseif occursin("@kwdef", name) || occursin("with_kw", name)
            made = e.args[end]
            made isa Expr && made.head === :struct && (made.args[2] isa Symbol || made.args[2] isa Expr) || return Any[e]
            return Any[Expr(:macrocall, e.args[1:end-1]..., field_defaults(made))]
        elseif occursin("doc", name) && e.args[end] isa Expr && e.args[end].head in (:function, :(=))
            return Any[Expr(:macrocall, e.args[1:end-1]..., statements(e.args[end], false)...)]
        end
        return Any[e]
    elseif e.head in (:using, :import, :module, :struct, :abstract, :export, :break, :continue, :toplevel)
        return Any[e]
    elseif e.head === :call && e.args[1] === :include && length(e.args) == 2
        return Any[:($(GlobalRef(HarnessRecorder, :run_file))(joinpath(@__DIR__, $(e.args[2]))))]
    elseif e.head === :call && e.args[1] in (:println, :print, :show, :display)
        return Any[shown(e)]
    elseif e.head === :call && endswith(string(e.args[1]), "!")
        changed = filter(item -> item isa Symbol, e.args[2:min(end, 3)])
        if e.args[1] === :push! && length(e.args) == 3 && e.args[2] isa Symbol
            element = recorded(:val, "element", "$(e.args[2])[]", e.args[3], e.args[3])
            container = site("container", string(e.args[2]), e.args[3])
            made = Any[Expr(:call, :push!, e.args[2], element)]
            AT.loops > 0 ? push!(AT.elements, e.args[2] => container) : last || push!(made, call(:val, container, e.args[2]))
            return made
        end
        last && return finish(e)
        return Any[inside(e), (call(:again, site("mutated", string(name), e), name) for name in changed)...]
    end
    return finish(e)
end

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
            Core.eval(Main, Expr(:toplevel, at, statement))
        end
    end
    AT.file = outer
    return nothing
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

HarnessRecorder.main(copy(ARGS))

# What the rewritten program calls: each records a value, or puts another program's in its place, and returns it.

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

function enter()
    FRAMES[] += 1
    PARENTS[FRAMES[]] = CURRENT[]
    say("F", FRAMES[], CURRENT[])
    CURRENT[] = FRAMES[]
end
leave(frame) = (CURRENT[] = get(PARENTS, frame, 0); nothing)

# What takes any value is compiled once; what each type needs is little.
const INSTEAD = Ref{Any}()
@noinline function passes(frame::Int, site::Int, @nospecialize(value))
    CURRENT[] = frame
    count = COUNTS[site] += 1
    own = value
    if !isempty(PLAN) && haskey(PLAN, site) && count <= length(PLAN[site]) && PLAN[site][count] !== nothing
        value = INSTEAD[] = fitted(value, PLAN[site][count]...)
    end
    kept(site) && (count <= FIRST || count % 64 < LAST) && record(frame, site, count, value)
    return own === value
end
@noinline val(frame::Int, site::Int, value::T) where {T} = passes(frame, site, value) ? value : INSTEAD[]::T
# What a parameter is where nothing is given for it: it is looked at before its function has begun.
@noinline default(site::Int, value::T) where {T} = val(CURRENT[], site, value)::T
@noinline function passes_part(frame::Int, site::Int, @nospecialize(value))
    CURRENT[] = frame
    # Of a trial, the results count.
    isempty(PLAN) || haskey(PLAN, site) || site in KEPT || return true
    count = COUNTS[site] += 1
    own = value
    if haskey(PLAN, site) && count <= length(PLAN[site]) && PLAN[site][count] !== nothing
        value = INSTEAD[] = fitted(value, PLAN[site][count]...)
    end
    kept(site) && count <= PARTS && OF_PARTS[] < PART_BYTES && !(value isa AbstractString) && record_part(frame, site, count, value)
    return own === value
end
@noinline part(frame::Int, site::Int, value::T) where {T} = passes_part(frame, site, value) ? value : INSTEAD[]::T
@noinline function record_part(frame, site, count, @nospecialize(value))
    parts = safe_parts_of(value)
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
@noinline function ends(frame::Int, site::Int)
    CURRENT[] = frame
    (COUNTS[site] += 1) <= FIRST && isempty(KEPT) && say("E", site, frame, COUNTS[site], 0)
    return nothing
end
called(frame::Int, site::Int, value) = (ends(frame, site); value)
function again(frame, site, value)
    value isa Union{AbstractArray,AbstractDict} || return
    COUNTS[site] < FIRST || return
    count = COUNTS[site] += 1
    record(frame, site, count, value)
    return
end

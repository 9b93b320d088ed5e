# Julia 1.7 gave `range(a, b)` the step 1; before that, it is an error. The methods with a length or a step stay.
function Base.range(start, stop; length::Union{Integer,Nothing} = nothing, step = nothing)
    length === nothing && step === nothing && return start:stop
    return Base._range(start, step, stop, length)
end

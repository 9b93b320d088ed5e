# Describe a value on a line of its own, for harness.adoption.facts; put in front of a program.
module HarnessDescribed
type_of(::Type{<:Bool}) = "b"
type_of(::Type{<:Integer}) = "i"
type_of(::Type{<:Real}) = "f"
type_of(::Type{<:Complex}) = "c"
type_of(::Type{<:AbstractString}) = "U"
type_of(::Type) = ""
number(x::Bool) = string(Int(x))
number(x::Integer) = string(x)
number(x::Real) = isnan(x) ? "nan" : isinf(x) ? (x > 0 ? "inf" : "-inf") : string(Float64(x))
number(x::Complex) = number(real(x)) * " " * number(imag(x))
number(x::AbstractString) = replace(x, r"[\t\n]" => " ")

array(x) = nothing
array(x::Union{Number,AbstractString}) = ("scalar", fill(x))
array(x::AbstractArray{<:Union{Number,AbstractString}}) = ("array", collect(x))
array(x::Tuple{Vararg{Number}}) = isempty(x) ? nothing : ("tuple", collect(x))
function array(x::AbstractVector)
    isempty(x) && return nothing
    all(each -> each isa AbstractVector{<:Number} && length(each) == length(x[1]), x) && return ("nested", permutedims(reduce(hcat, x)))
    all(each -> each isa Number, x) && return ("array", [each for each in x])
    all(each -> each isa AbstractString, x) && return ("array", String[each for each in x])
    all(each -> each isa Tuple{Vararg{Number}} && length(each) == length(x[1]), x) && return ("tuples", permutedims(reduce(hcat, collect.(x))))
    return nothing
end

function line(place, make, most = 20000)
    local value
    found = try
        value = make()
        array(value)
    catch
        value = nothing
    end
    if value isa NamedTuple && all(each -> each isa AbstractVector, values(value))
        fields = ["frame", "", "", join(["NamedTuple", map(string, keys(value))...], "\x1f"), ""]
    elseif found === nothing
        fields = ["other", "", "", replace(string(typeof(value)), r"\s" => " "), ""]
    elseif length(found[2]) > most
        fields = ["large", "", "", string(length(found[2])), ""]
    else
        kind = type_of(eltype(found[2]))
        if kind == ""
            fields = ["other", "", "", string(eltype(found[2])), ""]
        else
            fields = [found[1], kind, join(size(found[2]), "x"), "", join(map(number, vec(found[2])), kind == "U" ? "\x1f" : " ")]
        end
    end
    print(stdout, "\n\x1eadopt\t", place, "\t", join(fields, "\t"), "\n")
    return
end
end

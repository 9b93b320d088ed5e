"A stand-in for DataFrames.jl: named columns, `nrow`, `ncol`, `names`, and indexing by row and column."
module DataFrames

__precompile__(false)

export DataFrame, nrow, ncol

struct DataFrame
    names::Vector{String}
    columns::Vector{Vector}
end

nrow(table::DataFrame) = isempty(table.columns) ? 0 : length(first(table.columns))
ncol(table::DataFrame) = length(table.columns)
Base.size(table::DataFrame) = (nrow(table), ncol(table))
Base.size(table::DataFrame, dimension::Integer) = size(table)[dimension]
Base.names(table::DataFrame) = copy(table.names)

position(table::DataFrame, column::Integer) = Int(column)
function position(table::DataFrame, column::Union{AbstractString,Symbol})
    at = findfirst(==(String(column)), table.names)
    at === nothing && throw(ArgumentError("column name $(repr(Symbol(column))) not found in the data frame"))
    return at
end

Base.getindex(table::DataFrame, row::Integer, column) = table.columns[position(table, column)][row]
Base.getindex(table::DataFrame, ::Colon, column) = copy(table.columns[position(table, column)])
Base.getindex(table::DataFrame, ::typeof(!), column) = table.columns[position(table, column)]

function Base.getproperty(table::DataFrame, name::Symbol)
    name in (:names, :columns) && return getfield(table, name)
    return table.columns[position(table, name)]
end

function Base.show(io::IO, ::MIME"text/plain", table::DataFrame)
    println(io, nrow(table), "×", ncol(table), " DataFrame (stand-in)")
    print(io, join(table.names, " | "))
    most = 10
    for row in 1:min(nrow(table), most)
        print(io, "\n", join((first(string(column[row]), 40) for column in table.columns), " | "))
    end
    nrow(table) > most && print(io, "\n⋮")
end

end

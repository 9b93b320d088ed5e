"A stand-in for CSV.jl: `CSV.read(file, DataFrame)` of comma-separated text, numbers where a whole column is."
module CSV

__precompile__(false)

# The fields of one record; quotes may hold commas and doubled quotes. Spaces are kept, as CSV.jl keeps them.
function fields(line)
    found, field, quoted = String[], IOBuffer(), false
    at = firstindex(line)
    while at <= lastindex(line)
        c = line[at]
        next = nextind(line, at)
        if quoted && c == '"' && next <= lastindex(line) && line[next] == '"'
            print(field, '"')
            next = nextind(line, next)
        elseif c == '"'
            quoted = !quoted
        elseif c == ',' && !quoted
            push!(found, String(take!(field)))
        else
            print(field, c)
        end
        at = next
    end
    return push!(found, String(take!(field)))
end

function column(texts)
    for type in (Int, Float64)
        numbers = map(text -> isempty(text) ? missing : tryparse(type, text), texts)
        any(number -> number === nothing, numbers) || return [number for number in numbers]
    end
    return [isempty(text) ? missing : text for text in texts]
end

function read(file::AbstractString, table)
    lines = filter(!isempty, [chomp(line) for line in eachline(file)])
    isempty(lines) && throw(ArgumentError("$file is empty"))
    header, records = fields(first(lines)), map(fields, lines[2:end])
    for (number, record) in enumerate(records)
        length(record) == length(header) || throw(ArgumentError("$file: record $number has $(length(record)) fields"))
    end
    return table(header, Vector[column([record[i] for record in records]) for i in eachindex(header)])
end

end

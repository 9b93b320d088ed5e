# Words are runs of the letters a to z.

folded(text) = [c in 65:90 ? c + 32 : c for c in text]

function word(folded)
    text = String(Char.(folded))
    numbers = Dict{String,Int}()
    result = zeros(Int, length(folded))
    for found in eachmatch(r"[a-z]+", text)
        number = get!(numbers, found.match, length(numbers) + 1)
        result[found.offset:found.offset+length(found.match)-1] .= number
    end
    result
end

function counts(folded, word)
    begins = [word[i] > 0 && (i == 1 || word[i-1] != word[i]) for i in eachindex(word)]
    [count(word[begins] .== k) for k in 1:maximum(word)]
end

frequencies(counts) = counts ./ sum(counts)

"A stand-in for Embeddings.jl: GloVe vectors of 50 dimensions, from the text file that HARNESS_GLOVE names."
module Embeddings

__precompile__(false)

export GloVe, load_embeddings

struct GloVe{language} end

struct EmbeddingTable
    embeddings::Matrix{Float32}
    vocab::Vector{String}
end

function load_embeddings(::Type{GloVe{:en}}, file_number::Integer = 1; max_vocab_size = typemax(Int), keep_words = nothing)
    file_number == 1 || throw(ArgumentError("the stand-in has GloVe's first file alone: 50 dimensions"))
    file = get(ENV, "HARNESS_GLOVE", "")
    isempty(file) && throw(ArgumentError("the stand-in needs a file of word vectors, and none was given"))
    words, numbers = String[], Float32[]
    for line in eachline(file)
        length(words) < max_vocab_size || break
        parts = split(line, ' ')
        keep_words === nothing || parts[1] in keep_words || continue
        push!(words, parts[1])
        append!(numbers, parse.(Float32, parts[2:end]))
    end
    println(stderr, "stand-in for Embeddings: ", length(words), " words of ", basename(file))
    return EmbeddingTable(reshape(numbers, :, length(words)), words)
end

end

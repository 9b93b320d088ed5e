"A stand-in for Plots.jl: it draws nothing, and records what would have been drawn."
module Plots

__precompile__(false)

export heatmap, plot, plot!, scatter, bar, histogram, title!, xlabel!, ylabel!, savefig

struct Plot
    text::String
end

shape(value::AbstractArray) = join(size(value), "×")
shape(value) = string(typeof(value))

function record(kind, values...; options...)
    title = haskey(options, :title) ? " $(repr(options[:title]))" : ""
    text = "$kind$title of $(join(map(shape, values), ", "))"
    Main.HarnessSession.drawn(text)
    return Plot(text)
end

for kind in (:heatmap, :plot, :scatter, :bar, :histogram)
    @eval $kind(values...; options...) = record($(String(kind)), values...; options...)
end
plot!(values...; options...) = record("plot!", values...; options...)
title!(text; options...) = record("title!"; title = text)
xlabel!(text; options...) = record("xlabel!"; title = text)
ylabel!(text; options...) = record("ylabel!"; title = text)
savefig(names...) = nothing

# Plots opens a window, and prints nothing.
Base.show(io::IO, ::MIME"text/plain", plot::Plot) = nothing

end

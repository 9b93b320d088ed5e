# Summary statistics by the standard library.

import Statistics

mean(y) = Statistics.mean(y)

sd(y) = Statistics.std(y)

function lag1(y)
    d = y .- Statistics.mean(y)
    sum(d[1:end-1] .* d[2:end]) / sum(abs2, d)
end

% From the words of a sentence to its sentiment: attention, a linear layer, mean pooling, softmax.
% Words are columns.

function y = linear(x, weights, bias)
  y = weights * x + bias;
end

function y = softmax(scores, dimension)
  powers = exp(scores - max(scores, [], dimension));
  y = powers ./ sum(powers, dimension);
end

% The table's first row is 1 here, and the first token 0.
function y = embeddings(table, tokens)
  y = table(tokens + 1, :).';
end

function y = x(embeddings)
  y = [embeddings; 0:size(embeddings, 2) - 1];
end

function y = q(x, Q, Qb)
  y = linear(x, Q, Qb);
end

function y = k(x, K, Kb)
  y = linear(x, K, Kb);
end

function y = v(x, V, Vb)
  y = linear(x, V, Vb);
end

function y = e(q, k)
  y = q.' * k / sqrt(numel(q));
end

function y = alpha(e)
  y = softmax(e, 2);
end

function y = z(v, alpha)
  y = v * alpha.';
end

function y = f(z, W, b)
  y = linear(z, W, b);
end

function y = pooled(f)
  y = sum(f, 2) / size(f, 2);
end

function y = p(pooled)
  y = softmax(pooled, 1);
end

function y = e_exact(q, k)
  d_k = size(k, 1);
  y = q.' * k / sqrt(d_k);
end

function y = alpha_exact(e_exact)
  y = softmax(e_exact, 2);
end

function y = z_exact(v, alpha_exact)
  y = z(v, alpha_exact);
end

function y = p_exact(z_exact, W, b)
  y = p(pooled(f(z_exact, W, b)));
end

% Scaled dot-product self-attention of four words, step by step.

function y = Q(words, W_Q)
  y = words * W_Q;
end

function y = K(words, W_K)
  y = words * W_K;
end

function y = V(words, W_V)
  y = words * W_V;
end

function y = scores(Q, K)
  y = Q * K.';
end

function y = maxs(scores)
  y = max(scores, [], 2);
end

function y = weights(scores, maxs, K)
  d_k = size(K, 2);
  e = exp((scores - maxs) / sqrt(d_k));
  y = e ./ sum(e, 2);
end

function y = attention(weights, V)
  y = weights * V;
end

% Scaled dot-product self-attention of a batch of sequences, step by step, with a mask, and as one head.
% A batch has three dimensions: sequence, token, feature.

% One sequence of a batch, a matrix even where a size is 1.
function matrix = sequence(batch, b)
  matrix = reshape(batch(b, :, :), size(batch, 2), size(batch, 3));
end

% Every sequence of a batch times the transposed weights of a linear layer.
function y = linear(x, weight)
  y = zeros(size(x, 1), size(x, 2), size(weight, 1), class(x));
  for b = 1:size(x, 1)
    y(b, :, :) = sequence(x, b) * weight.';
  end
end

% Softmax along the last dimension.
function y = softmax(scores)
  e = exp(scores - max(scores, [], 3));
  y = e ./ sum(e, 3);
end

function y = Q(x, query_weight)
  y = linear(x, query_weight);
end

function y = K(x, key_weight)
  y = linear(x, key_weight);
end

function y = V(x, value_weight)
  y = linear(x, value_weight);
end

function y = scores(Q, K)
  y = zeros(size(Q, 1), size(Q, 2), size(K, 2), class(Q));
  for b = 1:size(Q, 1)
    y(b, :, :) = sequence(Q, b) * sequence(K, b).';
  end
end

function y = scaled(scores, K)
  y = scores / sqrt(size(K, 3));
end

function y = weights(scaled)
  y = softmax(scaled);
end

function y = row_sums(weights)
  y = sum(weights, 3);
end

function y = sharpened(scaled)
  y = softmax(12 * scaled);
end

function y = outputs(weights, V)
  y = zeros(size(weights, 1), size(weights, 2), size(V, 3), class(weights));
  for b = 1:size(weights, 1)
    y(b, :, :) = sequence(weights, b) * sequence(V, b);
  end
end

function y = mask(scaled)
  tokens = size(scaled, 3);
  y = tril(ones(tokens, class(scaled)));
end

function y = masked_scores(scaled, mask)
  y = scaled;
  for b = 1:size(scaled, 1)
    one = sequence(scaled, b);
    one(mask == 0) = -Inf;
    y(b, :, :) = one;
  end
end

function y = masked_weights(masked_scores)
  y = softmax(masked_scores);
end

function y = head_Q(head_x, head_query_weight)
  y = linear(head_x, head_query_weight);
end

function y = head_K(head_x, head_key_weight)
  y = linear(head_x, head_key_weight);
end

function y = head_V(head_x, head_value_weight)
  y = linear(head_x, head_value_weight);
end

function y = head_scores(head_Q, head_K)
  y = scores(head_Q, head_K) / sqrt(size(head_K, 3));
end

function y = head_weights(head_scores)
  y = softmax(head_scores);
end

function y = head_outputs(head_weights, head_V)
  y = outputs(head_weights, head_V);
end

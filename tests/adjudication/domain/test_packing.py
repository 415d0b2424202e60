"""Arrays on their way: what was packed comes out, to the bit."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from adjudication.domain.packing import pack_arrays, unpack_arrays

KINDS = st.sampled_from(["<u2", "<u4", "<i2", "<i8"])
ARRAYS = KINDS.flatmap(lambda kind: arrays(kind, array_shapes(max_dims=2, min_side=0, max_side=5)))


@given(
    st.dictionaries(st.text(max_size=5), st.integers() | st.lists(st.text(max_size=3), max_size=3), max_size=4),
    st.dictionaries(st.sampled_from(["one", "two", "three"]), ARRAYS),
)
def test_what_was_packed_comes_out(head: dict[str, object], given_: dict[str, np.ndarray]) -> None:
    told, found = unpack_arrays(pack_arrays(head, given_))

    assert told == head
    assert list(found) == list(given_)
    for name, array in given_.items():
        assert (found[name].dtype, found[name].shape) == (array.dtype, array.shape)
        assert found[name].tobytes() == array.tobytes()

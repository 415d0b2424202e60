// Whether what scrolls sideways goes on to the right of what is seen; a pixel may be lost to rounding.

export function isBeyond({ scrollLeft, clientWidth, scrollWidth }) {
  return scrollLeft + clientWidth < scrollWidth - 1;
}

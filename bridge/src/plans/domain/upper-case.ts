/** The upper case of a reason or a rule, as codes spell it: `TOO_LONG` for `too_long`. */
export function upperCase<S extends string>(text: S): Uppercase<S> {
	return text.toUpperCase() as Uppercase<S>;
}

import { keysOf } from "../model/key-names.ts";

/** Keys within a sentence: "Ctrl+K or /", "A, W, D on a request". */
const KEYS = /((?:(?:Ctrl|Alt|Shift)[+ ]){1,3}(?:Enter|Esc|Up|Down|F\d{1,2}|[A-Z]\b|,)|\b(?:Enter|Esc|F\d{1,2}|Up|[A-Z]\b)|\/)/;

/** Each key as the cap that it has on this computer's keyboard, the words between as they are. */
export function KeyCaps({ keys }: { readonly keys: string }) {
	// Every other part is what the expression took.
	return keys.split(KEYS).map((part, index) =>
		index % 2 === 0 ? (
			part
		) : (
			// biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text, which has no other order
			<kbd className="cap" key={index}>
				{keysOf(part)}
			</kbd>
		),
	);
}

import { isMac, keyCaps } from "../text/key-names.ts";

/** A shortcut as key caps, with this platform's names. Screen readers get it in words. */
export function KeyCaps({ chord }: { readonly chord: string }) {
	const caps = keyCaps(chord, isMac());
	return (
		<span className="caps">
			<span className="vh">{caps.map(({ spoken }) => spoken).join(" ")}</span>
			<span className="caps" aria-hidden="true">
				{caps.map(({ sign }, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: the same key may occur twice
					<kbd key={index} className="cap">
						{sign}
					</kbd>
				))}
			</span>
		</span>
	);
}

import { visibleName } from "../text/visible-text.ts";

/** Two letters that represent an agent. */
export function ProviderMark({ name }: { readonly name: string }) {
	const letters = visibleName(name).replace(/[^\p{L}\p{N}]/gu, "");
	return (
		<span className="mark" aria-hidden="true">
			{letters.slice(0, 1).toUpperCase() + letters.slice(1, 2).toLowerCase()}
		</span>
	);
}

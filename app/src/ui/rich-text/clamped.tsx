import { useState } from "react";
import { words } from "../../strings/interface.ts";
import { FoldButton } from "./fold-button.tsx";
import { useWhole } from "./whole.ts";

/** Longer text is clamped to a few lines. Agents word their titles and plans as they like, and a single one could fill the page. */
const LONG = 400;

/** One line of text from an agent. If it is long, a button shows the rest; screen readers read all of it in any case. */
export function Clamped({ text }: { readonly text: string }) {
	const [isOpen, setOpen] = useState(false);
	const isUnfolded = useWhole();
	if (text.length <= LONG) return text;
	return (
		<>
			<span className={isOpen || isUnfolded ? "wrap" : "clamp"}>{text}</span>
			<FoldButton isOpen={isOpen} more={words.thread.whole} setOpen={setOpen} />
		</>
	);
}

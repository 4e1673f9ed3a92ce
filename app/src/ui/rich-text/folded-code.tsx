import { useState } from "react";
import { fill, words } from "../../strings/interface.ts";
import { FoldButton } from "./fold-button.tsx";
import { countLines, firstLines } from "./markdown-chunks.ts";
import { VisibleCode } from "./visible-code.tsx";
import { useWhole } from "./whole.ts";

/** Longer text is folded, so that the buttons for answering stay visible. The button that unfolds it says how long it is. */
const SHOWN_LINES = 40;

/** Text from an agent with its line breaks, as VisibleCode shows it. Long text is folded. */
export function FoldedCode({ text, label }: { readonly text: string; readonly label: string }) {
	const [isOpen, setOpen] = useState(false);
	const isUnfolded = useWhole();
	const lines = countLines(text);
	const isLong = lines > SHOWN_LINES;
	return (
		<>
			<VisibleCode text={!isLong || isOpen || isUnfolded ? text : firstLines(text, SHOWN_LINES)} label={label} whole />
			{isLong && <FoldButton isOpen={isOpen} more={fill(words.thread.allLines, { count: lines })} setOpen={setOpen} />}
		</>
	);
}

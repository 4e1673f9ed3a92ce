import { words } from "../../strings/interface.ts";

interface FoldButtonProps {
	readonly isOpen: boolean;
	/** The button's words while the text is folded. */
	readonly more: string;
	setOpen(isOpen: boolean): void;
}

/** Shows the rest of a folded text, and folds it again. */
export function FoldButton({ isOpen, more, setOpen }: FoldButtonProps) {
	return (
		<button type="button" className="btn quiet code-more" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
			{isOpen ? words.thread.less : more}
		</button>
	);
}

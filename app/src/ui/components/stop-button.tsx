import { Square } from "lucide-react";
import { words } from "../../strings/interface.ts";
import { Icon } from "./icon.tsx";

interface StopButtonProps {
	readonly word: string;
	/** True in the thread itself, where the keyboard shortcut for stopping works. */
	readonly hasKeys?: boolean;
	readonly disabled?: boolean;
	stop(): void;
}

export function StopButton({ word, hasKeys = false, disabled = false, stop }: StopButtonProps) {
	return (
		<button type="button" className="btn" disabled={disabled} onClick={stop} {...(hasKeys && { "data-stop": "" })}>
			<Icon of={Square} />
			{word}
			{hasKeys && <kbd className="hide-n">{words.run.escTwice}</kbd>}
		</button>
	);
}

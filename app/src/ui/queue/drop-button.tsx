import { X } from "lucide-react";
import { useState } from "react";
import { words } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";

interface DropButtonProps {
	readonly name: string;
	/** Removes the message; resolves with false if the message could not be removed. */
	drop(): Promise<boolean>;
}

/** Removes a message from the queue. If that fails, the row says so until the next attempt, because a toast is soon gone. */
export function DropButton({ name, drop }: DropButtonProps) {
	const [hasFailed, setFailed] = useState(false);
	const press = async () => {
		setFailed(false);
		setFailed(!(await drop()));
	};
	return (
		<>
			{hasFailed && <span className="muted small nowrap">{words.composer.notDropped}</span>}
			<button type="button" className="ib" aria-label={name} title={words.composer.drop} onClick={() => void press()}>
				<Icon of={X} small />
			</button>
		</>
	);
}

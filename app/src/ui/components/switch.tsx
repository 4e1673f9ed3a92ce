import { useId } from "react";

interface SwitchProps {
	readonly label: string;
	/** A sentence that says what the switch does. */
	readonly say: string;
	readonly on: boolean;
	readonly disabled?: boolean;
	change(on: boolean): void;
}

/** A setting that is on or off: its text on the left, the switch on the right. */
export function Switch({ label, say, on, disabled = false, change }: SwitchProps) {
	const id = useId();
	return (
		<div className="switch-row">
			<div className="grow">
				<div className="strong" id={`${id}-label`}>
					{label}
				</div>
				<p className="muted" id={`${id}-say`}>
					{say}
				</p>
			</div>
			<button
				type="button"
				role="switch"
				className="switch"
				aria-checked={on}
				aria-labelledby={`${id}-label`}
				aria-describedby={`${id}-say`}
				disabled={disabled}
				onClick={() => change(!on)}
			>
				<span className="knob" />
			</button>
		</div>
	);
}

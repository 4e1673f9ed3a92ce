import { ChevronDown, CircleAlert } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { Icon } from "./icon.tsx";

interface FieldProps {
	readonly label: string;
	readonly hint?: string;
	/** What is wrong with the typed text. It is shown instead of the hint. */
	readonly problem?: string | undefined;
	/** Called with the ids of the field and of the text that describes it. */
	children(ids: { readonly id: string; readonly describedBy: string | undefined }): ReactNode;
}

/** A row of a form: its label, its field, and a hint or problem. */
export function FormField({ label, hint, problem, children }: FieldProps) {
	const id = useId();
	const said = useId();
	return (
		<>
			<label htmlFor={id}>{label}</label>
			<div>
				{children({ id, describedBy: hint === undefined && problem === undefined ? undefined : said })}
				{problem !== undefined ? (
					<p className="err" id={said}>
						<Icon of={CircleAlert} small />
						{problem}
					</p>
				) : (
					hint !== undefined && (
						<p className="hint" id={said}>
							{hint}
						</p>
					)
				)}
			</div>
		</>
	);
}

interface ChoiceProps<Value extends string | number> {
	readonly label: string;
	readonly id?: string;
	readonly value: Value;
	readonly choices: readonly { readonly value: Value; readonly name: string }[];
	/** What `value` is called if it is not among the choices. If absent: the value itself. */
	readonly otherwise?: string | undefined;
	choose(value: Value): void;
	/** True to make the choice only as wide as its text. */
	readonly isNarrow?: boolean;
}

/**
 * A choice between a few values. A value that is not among them gets an option of its own: otherwise the browser would show the first
 * choice as the chosen one. The option stays when another one is chosen, so that the user can go back to it.
 */
export function Choice<Value extends string | number>(props: ChoiceProps<Value>) {
	const { label, id, value, choices, otherwise = String(value), choose, isNarrow = false } = props;
	/** The unlisted value that was chosen before. */
	const [kept, setKept] = useState<{ readonly value: Value; readonly name: string }>();
	const isListed = (wanted: Value) => choices.some((one) => one.value === wanted);
	const unlisted = isListed(value) ? kept : { value, name: otherwise };
	const offered = unlisted === undefined || isListed(unlisted.value) ? choices : [...choices, unlisted];
	return (
		<span className={`selw ${isNarrow ? "auto" : ""}`}>
			<select
				className="in"
				{...(id === undefined ? { "aria-label": label } : { id })}
				value={String(value)}
				onChange={(event) => {
					const chosen = offered.find((one) => String(one.value) === event.target.value);
					setKept(unlisted);
					if (chosen !== undefined) choose(chosen.value);
				}}
			>
				{offered.map((one) => (
					<option key={one.value} value={String(one.value)}>
						{one.name}
					</option>
				))}
			</select>
			<Icon of={ChevronDown} small />
		</span>
	);
}

import { settingFormWords as words } from "../../strings/settings/setting-form-words.ts";
import { Choice } from "../components/form-field.tsx";
import type { FieldProps } from "./setting-editor.tsx";
import { nameOf } from "./setting-list.ts";

/** A choice between fixed options, saved at once. */
export function ChoiceField({ row, id, isBusy, save, choices }: FieldProps & { readonly choices: readonly string[] }) {
	return (
		<Choice
			id={id}
			label={nameOf(row)}
			value={String(row.value ?? "")}
			choices={choices.map((choice) => ({ value: choice, name: choice }))}
			choose={(choice) => void (isBusy || save(choice))}
			isNarrow
		/>
	);
}

/** A switch for on and off, saved at once. */
export function SwitchField({ row, id, describedBy, isBusy, save }: FieldProps) {
	const isOn = row.value === true;
	return (
		<div className="pair">
			<button
				type="button"
				role="switch"
				className="switch"
				aria-checked={isOn}
				aria-labelledby={`${id}-name`}
				aria-describedby={describedBy}
				aria-disabled={isBusy}
				onClick={() => void (isBusy || save(!isOn))}
			>
				<span className="knob" />
			</button>
			<span>{isOn ? words.on : words.off}</span>
		</div>
	);
}

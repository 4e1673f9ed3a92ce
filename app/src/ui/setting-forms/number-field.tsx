import type { SettingRow } from "../../api/setting-view.ts";
import { fill } from "../../strings/interface.ts";
import { settingFormWords as words } from "../../strings/settings/setting-form-words.ts";
import { Choice } from "../components/form-field.tsx";
import { fromUnit, inUnit, type NumberUnit, unitsOf } from "./number-units.ts";
import type { FieldProps } from "./setting-editor.tsx";
import { nameOf } from "./setting-list.ts";
import { useEdited } from "./use-edited.ts";

interface NumberFieldProps extends FieldProps {
	readonly form: Extract<SettingRow["form"], { kind: "number" }>;
}

/** A number, with its unit if it has one. */
export function NumberField({ row, form, id, describedBy, isWrong, isBusy, save }: NumberFieldProps) {
	const value = typeof row.value === "number" ? row.value : 0;
	const shown = form.unit === undefined ? { text: String(value), unit: undefined } : inUnit(value, form.unit);
	const [text, setText] = useEdited(String(value), shown.text);
	const [unit, setUnit] = useEdited<NumberUnit | undefined>(String(value), shown.unit);
	const isChanged = text !== shown.text || unit !== shown.unit;
	const typed = unit === undefined ? (/^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined) : fromUnit(text, unit);
	return (
		<form
			className="pair"
			onSubmit={(event) => {
				event.preventDefault();
				// If the text is not a number, the app refuses it by the same rule as for the command.
				if (isChanged) void save(typed ?? text);
			}}
		>
			<input
				className="in fix"
				id={id}
				inputMode="decimal"
				autoComplete="off"
				aria-describedby={describedBy}
				aria-invalid={isWrong}
				value={text}
				onChange={(event) => setText(event.target.value)}
			/>
			{form.unit !== undefined && unit !== undefined && (
				<Choice<NumberUnit>
					label={fill(words.unitOf, { name: nameOf(row) })}
					value={unit}
					choices={unitsOf(form.unit).map((one) => ({ value: one, name: words.units[one] }))}
					choose={(chosen) => setUnit(chosen)}
					isNarrow
				/>
			)}
			{isChanged && (
				<button type="submit" className="btn" aria-disabled={isBusy}>
					{words.save}
				</button>
			)}
		</form>
	);
}

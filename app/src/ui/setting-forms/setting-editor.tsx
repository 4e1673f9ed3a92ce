import type { SettingValue } from "@xworkmate/contracts";
import { Lock } from "lucide-react";
import { useId, useState } from "react";
import type { SettingRow } from "../../api/setting-view.ts";
import { fill } from "../../strings/interface.ts";
import { settingFormWords as words } from "../../strings/settings/setting-form-words.ts";
import { Icon } from "../components/icon.tsx";
import { useApp } from "../state/app-context.tsx";
import { visibleName } from "../text/visible-text.ts";
import { AgentField } from "./agent-field.tsx";
import { AgentListField } from "./agent-list-field.tsx";
import { FolderListField } from "./folder-list-field.tsx";
import { NumberField } from "./number-field.tsx";
import { SecretField } from "./secret-field.tsx";
import { lockOf, meaningOf, nameOf, savedRow, saveSecret, saveSetting, sayRefusal, sayWaiting } from "./setting-list.ts";
import { TextField } from "./text-field.tsx";
import { ChoiceField, SwitchField } from "./toggle-fields.tsx";

export interface FieldProps {
	/** With the value that is saved, which may not be in effect yet. */
	readonly row: SettingRow;
	readonly id: string;
	/** The ids of the elements that describe the setting: what is wrong with the last value, if anything, and what the setting means. */
	readonly describedBy: string;
	/** Whether the last value was refused. */
	readonly isWrong: boolean;
	readonly isBusy: boolean;
	save(value: SettingValue | undefined): Promise<boolean>;
}

/** One setting: its name, its form or the reason why there is none, what it means, and a button that resets it. */
export function SettingEditor({ row, isRemote }: { readonly row: SettingRow; readonly isRemote: boolean }) {
	const { announce } = useApp();
	const id = useId();
	const [isBusy, setBusy] = useState(false);
	const [problem, setProblem] = useState<string>();
	const lock = lockOf(row, isRemote);
	const saved = savedRow(row);
	const name = nameOf(row);
	const doing = async (act: () => Promise<void>, done: string = words.saved): Promise<boolean> => {
		if (isBusy) return false;
		setBusy(true);
		setProblem(undefined);
		try {
			await act();
			announce(fill(done, { name }));
			return true;
		} catch (error) {
			setProblem(sayRefusal(row, error));
			return false;
		} finally {
			setBusy(false);
		}
	};
	const save = (value: SettingValue | undefined) => doing(() => saveSetting(row, value));
	const isWrong = problem !== undefined;
	const field = { row: saved, id, describedBy: isWrong ? `${id}-wrong ${id}-say` : `${id}-say`, isWrong, isBusy, save };
	return (
		<div className="setting edit">
			{lock === undefined && hasLabel(row) ? <label htmlFor={id}>{name}</label> : <span id={`${id}-name`}>{name}</span>}
			<div>
				{lock !== undefined ? (
					<Fixed row={row} />
				) : row.isSecret ? (
					<SecretField
						{...field}
						store={(secret) => doing(() => saveSecret(row, secret), secret === undefined ? words.removed : words.saved)}
					/>
				) : (
					<Field {...field} />
				)}
				{problem !== undefined && (
					<p className="err" id={`${id}-wrong`} role="alert">
						{problem}
					</p>
				)}
				<p className="hint wrap" id={`${id}-say`}>
					{meaningOf(row)}
					{lock !== undefined && (
						<span className="locked">
							<Icon of={Lock} small />
							{lock}
						</span>
					)}
					{row.waits !== undefined && ` ${sayWaiting(row)}`}
				</p>
				{lock === undefined && saved.source === "file" && !row.isSecret && (
					<button
						type="button"
						className="btn quiet small"
						aria-label={fill(words.resetOf, { name })}
						aria-disabled={isBusy}
						onClick={() => void doing(() => saveSetting(row, undefined), words.wasReset)}
					>
						{words.reset}
					</button>
				)}
			</div>
		</div>
	);
}

/** A switch and a list of checkboxes have no single field that a label could name. */
function hasLabel({ key, form }: SettingRow): boolean {
	return form.kind !== "switch" && key !== "allowProviders";
}

function Field(props: FieldProps) {
	const { form } = props.row;
	switch (form.kind) {
		case "number":
			return <NumberField {...props} form={form} />;
		case "choice":
			return <ChoiceField {...props} choices={form.choices} />;
		case "switch":
			return <SwitchField {...props} />;
		case "list":
			if (props.row.key === "allowProviders") return <AgentListField {...props} />;
			return form.unit === "folder" ? <FolderListField {...props} /> : <TextField {...props} isList />;
		case "text":
			if (props.row.key === "defaultProvider") return <AgentField {...props} />;
			return <TextField {...props} />;
	}
}

/** A value that is in effect and cannot be changed here. */
function Fixed({ row }: { readonly row: SettingRow }) {
	const { value, isSecret, source } = row;
	if (isSecret) return <div>{source === "default" ? words.unset : words.secretSet}</div>;
	if (typeof value === "boolean") return <div>{value ? words.on : words.off}</div>;
	const values = Array.isArray(value) ? value : value === undefined ? [] : [String(value)];
	if (values.length === 0) return <div className="muted">{words.unset}</div>;
	return values.map((one) => (
		<div key={one} className="wrap">
			<code>{visibleName(one)}</code>
		</div>
	));
}

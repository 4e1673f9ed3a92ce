import type { ReactNode } from "react";
import type { SettingsView } from "../../api/ui-api.ts";
import { fill } from "../../strings/interface.ts";
import { settingsPageWords } from "../../strings/settings/settings-page-words.ts";
import { callApp } from "../connection/call-app.ts";
import { type Answer, useAnswer } from "../state/use-answer.ts";
import { visibleName } from "../text/visible-text.ts";

export interface Setting {
	readonly name: string;
	/** Several values are listed; an empty list is shown as “None”. */
	readonly value: string | readonly string[];
	/** Paths and addresses are shown as code. */
	readonly code?: boolean;
	/** The environment variable that sets the value. */
	readonly variable?: string;
}

export function useSettings(): Answer<SettingsView> {
	return useAnswer<SettingsView>(() => callApp("settings", {}), undefined);
}

/** Settings that cannot be changed here, with how to change those that an environment variable sets. */
export function SettingRows({ settings, set = [] }: { readonly settings: readonly Setting[]; readonly set?: readonly string[] }) {
	return (
		<dl className="list settings">
			{settings.map(({ name, value, code = false, variable }) => (
				<div key={name} className="setting">
					<dt>{name}</dt>
					<dd>
						<Value value={value} code={code} />
						{variable !== undefined && <HowSet variable={variable} isSet={set.includes(variable)} />}
					</dd>
				</div>
			))}
		</dl>
	);
}

function Value({ value, code }: Required<Pick<Setting, "value" | "code">>) {
	const values = typeof value === "string" ? [value] : value;
	if (values.length === 0) return <div className="muted">{settingsPageWords.none}</div>;
	return values.map((one) => (
		<div key={one} className="wrap">
			{code ? <code>{visibleName(one)}</code> : visibleName(one)}
		</div>
	));
}

function HowSet({ variable, isSet }: { readonly variable: string; readonly isSet: boolean }) {
	return (
		<p className="muted small">
			{isSet && <span>{withCode(settingsPageWords.setBy, variable)} </span>}
			<span>{withCode(isSet ? settingsPageWords.changeSet : settingsPageWords.changeBy, variable)}</span>
		</p>
	);
}

/** A sentence with the variable's name as code. */
function withCode(sentence: string, variable: string): ReactNode {
	const [before, after] = sentence.split("{variable}");
	return after === undefined ? (
		fill(sentence, {})
	) : (
		<>
			{before}
			<code>{variable}</code>
			{after}
		</>
	);
}

import { providersFile } from "@xworkmate/contracts";
import { fill } from "../../strings/interface.ts";
import { settingFormWords as words } from "../../strings/settings/setting-form-words.ts";
import { Choice } from "../components/form-field.tsx";
import { useProviders } from "../state/app-context.tsx";
import { visibleName } from "../text/visible-text.ts";
import type { FieldProps } from "./setting-editor.tsx";
import { nameOf } from "./setting-list.ts";
import { TextField } from "./text-field.tsx";

const NONE = "";

/** A choice between the agents that the bridge knows, saved immediately. Until the bridge has listed them, the id can be typed. */
export function AgentField(props: FieldProps) {
	const { row, id, isBusy, save } = props;
	const providers = useProviders().filter(({ providerId }) => providerId !== providersFile);
	if (providers.length === 0) return <TextField {...props} />;
	const value = String(row.value ?? NONE);
	const known = providers.map(({ providerId, label, available }) => {
		const name = visibleName(label);
		return { value: providerId as string, name: available ? name : fill(words.agentNotReady, { name }) };
	});
	// The agent that is set but not in the list: it may be installed later, or have been removed.
	const other =
		value !== NONE && !known.some((one) => one.value === value) ? [{ value, name: fill(words.agentUnknown, { name: value }) }] : [];
	return (
		<Choice
			id={id}
			label={nameOf(row)}
			value={value}
			choices={[{ value: NONE, name: words.agentNone }, ...known, ...other]}
			choose={(chosen) => void (isBusy || save(chosen === NONE ? undefined : chosen))}
			isNarrow
		/>
	);
}

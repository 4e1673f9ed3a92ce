import { providersFile } from "@xworkmate/contracts";
import { useProviders } from "../state/app-context.tsx";
import { visibleName } from "../text/visible-text.ts";
import type { FieldProps } from "./setting-editor.tsx";
import { nameOf } from "./setting-list.ts";
import { TextField } from "./text-field.tsx";

/** A checkbox for each agent; a change is saved immediately. Until the bridge has listed the agents, their ids can be typed. */
export function AgentListField(props: FieldProps) {
	const { row, id, describedBy, isBusy, save } = props;
	const providers = useProviders().filter(({ providerId }) => providerId !== providersFile);
	if (providers.length === 0) return <TextField {...props} isList />;
	const chosen = Array.isArray(row.value) ? row.value : [];
	const known = providers.map(({ providerId, label }) => ({ providerId: providerId as string, name: visibleName(label) }));
	// An agent that is set but not in the list may be installed later, or have been removed. It stays until its box is cleared.
	const others = chosen.filter((one) => !known.some(({ providerId }) => providerId === one));
	const agents = [...known, ...others.map((providerId) => ({ providerId, name: visibleName(providerId) }))];
	const toggle = (providerId: string) => {
		const now = chosen.includes(providerId) ? chosen.filter((one) => one !== providerId) : [...chosen, providerId];
		void save(now.length === 0 ? undefined : now);
	};
	return (
		<fieldset className="ticks" id={id} aria-label={nameOf(row)} aria-describedby={describedBy}>
			{agents.map(({ providerId, name }) => (
				<label key={providerId} className="tick">
					<input
						type="checkbox"
						checked={chosen.includes(providerId)}
						aria-disabled={isBusy}
						onChange={() => isBusy || toggle(providerId)}
					/>
					{name}
				</label>
			))}
		</fieldset>
	);
}

import type { ProviderCapability, Routing } from "@xworkmate/contracts";
import { useId, useState } from "react";
import { fill, words } from "../../strings/interface.ts";
import { visibleName } from "../text/visible-text.ts";
import { routingOf, SCRIPT } from "./routing.ts";

interface ModelChoiceProps {
	readonly provider: ProviderCapability;
	readonly routing: Routing | undefined;
	choose(routing: Routing): void;
}

const MAX_NAME = 200;

/** Lets the user choose a model from the agent's list or, if the agent has not reported one yet, by name. */
export function ModelChoice({ provider, routing, choose }: ModelChoiceProps) {
	const take = (model: string) => choose(routingOf(provider, model === "" ? undefined : model));
	const { models, providerId } = provider;
	if (providerId === SCRIPT || models?.length === 0) return null;
	if (models === undefined) return <ModelName provider={provider} model={routing?.model ?? ""} take={take} />;
	const chosen = routing?.model;
	return (
		<label className="pick-model">
			<span className="muted small">{words.picker.models}</span>
			<select value={chosen ?? ""} onChange={(event) => take(event.target.value)}>
				<option value="">{words.picker.defaultModel}</option>
				{/* If the chosen model were not an option, the list would show the default, which is not what runs. */}
				{chosen !== undefined && !models.includes(chosen) && (
					<option value={chosen}>{fill(words.picker.notListed, { model: visibleName(chosen) })}</option>
				)}
				{models.map((model) => (
					<option key={model} value={model}>
						{visibleName(model)}
					</option>
				))}
			</select>
		</label>
	);
}

interface ModelNameProps {
	readonly provider: ProviderCapability;
	readonly model: string;
	take(model: string): void;
}

function ModelName({ provider, model, take }: ModelNameProps) {
	const [text, setText] = useState(model);
	const hint = useId();
	const done = () => text.trim() !== model && take(text.trim());
	return (
		<div className="pick-model">
			<label className="flex grow">
				<span className="muted small">{words.picker.models}</span>
				<input
					className="grow"
					aria-label={words.picker.modelName}
					aria-describedby={hint}
					placeholder={words.picker.defaultModel}
					maxLength={MAX_NAME}
					value={text}
					onChange={(event) => setText(event.target.value)}
					onBlur={done}
					onKeyDown={(event) => event.key === "Enter" && !event.nativeEvent.isComposing && done()}
				/>
			</label>
			<p className="muted small wrap" id={hint}>
				{fill(words.picker.modelUnknown, { provider: visibleName(provider.label) })}
			</p>
		</div>
	);
}

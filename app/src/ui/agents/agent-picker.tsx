import { Popover } from "@base-ui/react/popover";
import { type ProviderCapability, providersFile, type Routing } from "@xworkmate/contracts";
import { Check, ChevronDown, CircleDashed, Stethoscope } from "lucide-react";
import { type KeyboardEvent, useEffect, useState } from "react";
import { testedWords } from "../../strings/agents/tested-words.ts";
import { fill, words } from "../../strings/interface.ts";
import { unavailableWord } from "../../strings/runs/states.ts";
import { testedState } from "../../text/agents/tested-state.ts";
import { CopyButton } from "../components/copy-button.tsx";
import { Icon } from "../components/icon.tsx";
import { PickPopup } from "../components/pick-popup.tsx";
import { ProviderMark } from "../components/provider-mark.tsx";
import { callApp } from "../connection/call-app.ts";
import { useProviders } from "../state/app-context.tsx";
import { hrefOf } from "../state/route.ts";
import { commandOf, readFix } from "../text/fix-line.ts";
import { formatWhen } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import { usableFirst } from "./agents-found.ts";
import { InstallOffer } from "./install-offer.tsx";
import { ModelChoice } from "./model-choice.tsx";
import { routingOf } from "./routing.ts";
import { useAgents } from "./use-agents.ts";

interface AgentPickerProps {
	readonly routing?: Routing;
	readonly isOpen: boolean;
	setOpen(isOpen: boolean): void;
	choose(routing: Routing): void;
}

/**
 * Lets the user choose the agent for a message. An unavailable agent is shown with the reason and the fix, and can be reached by keyboard.
 */
export function AgentPicker({ routing, isOpen, setOpen, choose }: AgentPickerProps) {
	const providers = useProviders();
	const [shown, setShown] = useState<ProviderCapability>();
	useEffect(() => {
		// Fetches the current agents and models. If the bridge cannot be reached, other parts of the page say so.
		if (isOpen) void callApp("testBridge", {}).catch(() => undefined);
	}, [isOpen]);
	const current = providers.find(({ providerId }) => providerId === routing?.providerId);
	const readyFirst = usableFirst(providers.filter(({ providerId }) => providerId !== providersFile));
	const groups = [
		{ title: words.picker.here, of: readyFirst.filter(({ target }) => target === "agent") },
		{ title: words.picker.gateway, of: readyFirst.filter(({ target }) => target === "gateway") },
	];
	const pick = (provider: ProviderCapability) => {
		setShown(provider);
		if (!provider.available) return;
		choose(routingOf(provider));
		setOpen(false);
	};
	const fix = commandOf(readFix(shown?.unavailable?.fix ?? ""));
	// Copies exactly what is shown, so that nothing invisible gets into a terminal.
	const command = fix === undefined ? "" : visibleName(fix);
	return (
		<Popover.Root open={isOpen} onOpenChange={setOpen}>
			<Popover.Trigger className="btn quiet agent-button">
				<span className="vh">{words.picker.label}: </span>
				{current && <ProviderMark name={current.label} />}
				<span className="cut">{current?.label ?? words.composer.noAgent}</span>
				{routing?.model !== undefined && <span className="muted hide-n">{visibleName(routing.model)}</span>}
				<Icon of={ChevronDown} />
			</Popover.Trigger>
			<PickPopup label={words.picker.label}>
				<div role="listbox" aria-label={words.picker.label} onKeyDown={moveByArrows}>
					{providers.length === 0 && <p className="muted opt-say">{words.picker.none}</p>}
					{groups.map(
						({ title, of }) =>
							of.length > 0 && (
								// biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
								<div key={title} role="group" aria-label={title}>
									<p className="pick-title" aria-hidden="true">
										{title}
									</p>
									{of.map((provider) => (
										<Option key={provider.providerId} provider={provider} selected={provider === current} pick={pick} />
									))}
								</div>
							),
					)}
				</div>
				<div className="pick-end">
					{shown?.available === false && shown.target === "agent" && <PickedInstall key={shown.providerId} providerId={shown.providerId} />}
					{current?.available === true && <ModelChoice key={current.providerId} provider={current} routing={routing} choose={choose} />}
					<div className="pick-foot">
						{command !== "" && <CopyButton text={command} label={fill(words.copy.commandOf, { command })} word={words.copy.command} />}
						<span className="grow" />
						<a className="btn quiet" href={hrefOf({ page: "settings", part: "diagnostics" })}>
							<Icon of={Stethoscope} />
							{words.picker.doctor}
						</a>
					</div>
				</div>
			</PickPopup>
		</Popover.Root>
	);
}

/** If XWorkmate can install the agent that was picked, one click installs it; the progress is shown here. */
function PickedInstall({ providerId }: Pick<ProviderCapability, "providerId">) {
	const { answer, put } = useAgents();
	const agent = answer?.agents.find(({ agentId, canInstall }) => agentId === providerId && canInstall);
	return agent && <InstallOffer agent={agent} put={put} />;
}

interface OptionProps {
	readonly provider: ProviderCapability;
	readonly selected: boolean;
	pick(provider: ProviderCapability): void;
}

function Option({ provider, selected, pick }: OptionProps) {
	const { label, available, unavailable, providerId } = provider;
	return (
		<button
			type="button"
			role="option"
			className="opt"
			aria-selected={selected}
			aria-disabled={!available}
			data-provider={providerId}
			onClick={() => pick(provider)}
		>
			<ProviderMark name={label} />
			<span className="nm strong">{visibleName(label)}</span>
			{available ? (
				<span className="flex">
					<Tested provider={provider} />
					{selected && <Icon of={Check} small />}
				</span>
			) : (
				<>
					<span className="st st-off small">
						<Icon of={CircleDashed} />
						{visibleName(unavailableWord(unavailable?.code))}
					</span>
					<span className="why wrap">
						{unavailable?.code !== "PROVIDER_NOT_INSTALLED" && `${visibleName(unavailable?.message ?? "")} `}
						{visibleName(unavailable?.fix ?? "")}
					</span>
				</>
			)}
		</button>
	);
}

/** The result of the agent's test, unless it is what a user expects of an agent that can be chosen. */
function Tested({ provider }: Pick<OptionProps, "provider">) {
	const { lastTest, failedRun } = provider;
	switch (testedState(provider)) {
		case "ready":
			return null;
		case "untested":
			return <span className="st st-off small">{testedWords.untested}</span>;
		case "failed":
			return (
				<span className="st st-bad small">
					{fill(failedRun === undefined ? testedWords.failed : testedWords.failedRun, {
						when: formatWhen((failedRun ?? lastTest)?.at ?? "", Date.now()),
					})}
				</span>
			);
	}
}

function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
	const options = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=option]")];
	const at = options.findIndex((option) => option.matches(":focus"));
	const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: options.length - 1 }[event.key];
	if (to === undefined) return;
	event.preventDefault();
	options[Math.max(0, Math.min(options.length - 1, to))]?.focus();
}

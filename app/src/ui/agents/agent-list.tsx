import type { ProviderCapability } from "@xworkmate/contracts";
import { CircleDashed } from "lucide-react";
import type { ReactNode } from "react";
import { testedWords } from "../../strings/agents/tested-words.ts";
import { ASSISTANT } from "../../strings/codes.ts";
import { fill, words } from "../../strings/interface.ts";
import { unavailableWord } from "../../strings/runs/states.ts";
import { testedState } from "../../text/agents/tested-state.ts";
import { messageInLocalTime } from "../../text/local-time.ts";
import { CopyLine } from "../components/copy-line.tsx";
import { Icon } from "../components/icon.tsx";
import { ProviderMark } from "../components/provider-mark.tsx";
import { StateChip } from "../components/state-chip.tsx";
import { useStore } from "../connection/store.ts";
import { useApp } from "../state/app-context.tsx";
import { formatSpan, formatWhen } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import { AddAccountLink } from "./add-account-link.tsx";
import { failedRunOf, newestTrial, problemOf, type Trial, trials, tryProvider } from "./provider-trials.ts";

interface AgentListProps {
	readonly providers: readonly ProviderCapability[];
	/** True to give each agent a button to test it. */
	readonly canTry?: boolean;
	/** Gives each available agent a button to choose it. */
	use?(provider: ProviderCapability): void;
	/** Shown instead of the button that chooses the agent, if something has to be done first. */
	first?(provider: ProviderCapability): ReactNode;
	/** What to show for an agent that cannot be used. */
	offer?(provider: ProviderCapability): ReactNode;
}

/** The agents and the gateway. If an agent is not available, the reason and the fix are shown. */
export function AgentList({ providers, canTry = false, use, first, offer }: AgentListProps) {
	const tried = useStore(trials);
	return (
		<ul className="list">
			{providers.map((provider) => {
				const trial = newestTrial(provider, tried);
				return (
					<AgentRow
						key={provider.providerId}
						provider={provider}
						canTry={canTry}
						before={first?.(provider)}
						offered={offer?.(provider)}
						{...(trial && { trial })}
						{...(use && { use })}
					/>
				);
			})}
		</ul>
	);
}

interface AgentRowProps {
	readonly provider: ProviderCapability;
	readonly canTry: boolean;
	readonly before: ReactNode;
	readonly offered: ReactNode;
	readonly trial?: Trial;
	use?(provider: ProviderCapability): void;
}

/**
 * The problem's message; empty if the chip and the fix say enough. The diagnostics also name the command of an agent that is not installed.
 */
function saysMore({ code, message }: NonNullable<ProviderCapability["unavailable"]>, canTry: boolean): string {
	if (code === "GATEWAY_NOT_CONFIGURED") return "";
	return code === "PROVIDER_NOT_INSTALLED" && !canTry
		? ""
		: visibleName(messageInLocalTime(code, message, Date.now()).split("\n", 4).join(" "));
}

/** An agent that was tested shows the result, unless the bridge reports a problem. */
function AgentRow({ provider, canTry, before, offered, trial, use }: AgentRowProps) {
	const { providerId, label, target, available, models = [] } = provider;
	const isTrying = trial?.state === "running" || trial?.state === "waiting";
	const unavailable = problemOf(provider, trial);
	const failedRun = failedRunOf(provider, trial);
	const hasFailedRun = failedRun !== undefined && unavailable === failedRun.problem;
	const name = visibleName(label);
	return (
		<li className="item prov" data-provider={providerId}>
			<ProviderMark name={label} />
			<div className="grow">
				<div className="nm">{name}</div>
				<div className="sub" aria-live={canTry ? "polite" : undefined}>
					{isTrying && <StateChip state="running" word={testedWords.testing} look="word" />}
					{!isTrying && unavailable !== undefined && (
						<>
							<span className={`st ${available ? "st-bad" : "st-off"}`}>
								<Icon of={CircleDashed} />
								{hasFailedRun ? testedWords.notReady : visibleName(unavailableWord(unavailable.code))}
							</span>
							{hasFailedRun && <span className="num">{fill(testedWords.failedRun, { when: formatWhen(failedRun.at, Date.now()) })}</span>}
							{trial?.state === "over" && trial.provider.unavailable === unavailable && <FailedAt at={trial.at} />}
							{provider.lastTest?.problem === unavailable && <LastTest provider={provider} />}
							<span className="wrap pre">{saysMore(unavailable, canTry)}</span>
						</>
					)}
					{!isTrying && unavailable === undefined && (
						<>
							{trial?.state !== "over" && testedState(provider) === "untested" ? (
								<StateChip state="new" word={testedWords.untested} look="word" />
							) : (
								<StateChip state="succeeded" word={testedWords.ready} look="word" />
							)}
							{trial?.state !== "over" && <LastTest provider={provider} />}
							{trial?.state === "over" && <AnsweredAt {...trial} />}
							{models.length > 0 && <span className="wrap">{visibleName(models.slice(0, 5).join(", "))}</span>}
						</>
					)}
					{trial?.state === "failed" && <FailedTrial trial={trial} />}
				</div>
			</div>
			<div className="end muted small">
				{target === "gateway" && !canTry && use === undefined ? words.thread.gateway : ""}
				{available && before}
				{use !== undefined && available && before === undefined && (
					<button type="button" className="btn" data-use="" aria-label={fill(words.picker.useName, { name })} onClick={() => use(provider)}>
						{words.picker.use}
					</button>
				)}
				{providerId === ASSISTANT && !available && <AddAccountLink />}
				{canTry && (
					<button
						type="button"
						className="btn"
						disabled={isTrying}
						aria-label={fill(testedWords.test, { name })}
						onClick={() => void tryProvider(provider)}
					>
						{testedWords.testIt}
					</button>
				)}
			</div>
			{!available && offered}
			{unavailable !== undefined && (
				<div className="full">
					<CopyLine text={unavailable.fix} />
				</div>
			)}
		</li>
	);
}

function AnsweredAt({ at, tookMs }: { readonly at: string; readonly tookMs: number }) {
	return <span className="num">{fill(testedWords.took, { time: formatSpan(tookMs), when: formatWhen(at, Date.now()) })}</span>;
}

function FailedAt({ at }: { readonly at: string }) {
	return <span className="num">{fill(testedWords.failed, { when: formatWhen(at, Date.now()) })}</span>;
}

/**
 * The result of the last test, possibly run by an earlier bridge process. Without a test, the time at which the agent answered in a run.
 */
function LastTest({ provider: { lastTest, answeredAt } }: { readonly provider: ProviderCapability }) {
	if (lastTest === undefined) {
		if (answeredAt === undefined) return null;
		return <span className="num">{fill(testedWords.inRun, { when: formatWhen(answeredAt, Date.now()) })}</span>;
	}
	if (lastTest.problem !== undefined) return <FailedAt at={lastTest.at} />;
	return <span className="num">{fill(testedWords.answered, { when: formatWhen(lastTest.at, Date.now()) })}</span>;
}

/**
 * A failed test. A test that a restart interrupted does not show whether the agent works. If the bridge was unreachable, no test was run,
 * and the message no longer applies once the bridge can be reached.
 */
function FailedTrial({ trial: { message, lost } }: { readonly trial: Extract<Trial, { readonly state: "failed" }> }) {
	const { app, state } = useApp();
	if (lost !== undefined && state === "live" && app.bridge.state === "connected")
		return <span>{lost === "unsent" ? testedWords.notRun : testedWords.cutOff}</span>;
	return <span className="st st-bad wrap">{visibleName(message)}</span>;
}

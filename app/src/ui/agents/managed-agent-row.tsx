import type { Agent, AgentState, ProviderCapability, Unavailable } from "@xworkmate/contracts";
import { CircleAlert, CircleCheck, CircleDashed, KeyRound, LoaderCircle, type LucideIcon, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { agentStateWords, agentsPageWords as words } from "../../strings/agents/agents-page-words.ts";
import { testedWords } from "../../strings/agents/tested-words.ts";
import { fill } from "../../strings/interface.ts";
import { CopyLine } from "../components/copy-line.tsx";
import { Icon } from "../components/icon.tsx";
import { ProviderMark } from "../components/provider-mark.tsx";
import { formatBytes, formatSpan, formatWhen } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import { type AgentActs, busyWith, isBusy } from "./agent-acts.ts";
import { AgentJobView, shownJob } from "./agent-job-view.tsx";

const looks: Readonly<Record<AgentState, { readonly icon: LucideIcon; readonly tone: string }>> = {
	missing: { icon: CircleDashed, tone: "st-off" },
	untested: { icon: CircleDashed, tone: "st-off" },
	ready: { icon: CircleCheck, tone: "st-ok" },
	needs_sign_in: { icon: KeyRound, tone: "st-miss" },
	failed: { icon: CircleAlert, tone: "st-bad" },
};

interface ManagedAgentRowProps {
	readonly agent: Agent;
	readonly isTesting: boolean;
	/** The agent's provider as the composer lists it; undefined if the composer does not list the agent. */
	readonly provider: ProviderCapability | undefined;
	readonly acts: AgentActs;
}

/** An agent of the catalogue: first its state and the next thing to do, then everything else. */
export function ManagedAgentRow({ agent, isTesting, provider, acts }: ManagedAgentRowProps) {
	const { agentId, name: given, test, failedRun, signingIn } = agent;
	const job = shownJob(agent);
	const name = visibleName(given);
	const problem = agent.state === "missing" ? undefined : (failedRun ?? test)?.problem;
	return (
		<li className={`item prov ${agent.state === "missing" || isBusy(agent) ? "" : "many"}`} data-agent={agentId}>
			<ProviderMark name={given} />
			<div className="grow">
				<div className="nm">{name}</div>
				<div className="sub" aria-live="polite">
					<AgentStateWords agent={agent} isTesting={isTesting} />
				</div>
			</div>
			<div className="end">
				<Next agent={agent} name={name} isTesting={isTesting} provider={provider} acts={acts} />
			</div>
			{job !== undefined && (
				<div className="full">
					<AgentJobView agent={agent} job={job} />
				</div>
			)}
			{!isBusy(agent) && problem !== undefined && <Reason problem={problem} />}
			{!isBusy(agent) && signingIn?.problem !== undefined && (
				<Reason problem={signingIn.problem} title={fill(words.signInFailed, { at: formatWhen(signingIn.startedAt, Date.now()) })} />
			)}
			{agent.state === "missing" && !agent.canInstall && (
				<div className="full">
					<CopyLine text={agent.command ?? agent.installFix ?? ""} />
				</div>
			)}
		</li>
	);
}

/** What is wrong, and what to do; the title says which attempt failed, if it isn't the agent's own problem. */
function Reason({ problem, title }: { readonly problem: Unavailable; readonly title?: string }) {
	return (
		<div className="full agent-problem small">
			{title !== undefined && <p className="wrap">{title}</p>}
			<p className="wrap pre">{visibleName(problem.message.split("\n", 4).join(" "))}</p>
			<CopyLine text={problem.fix} />
		</div>
	);
}

function AgentStateWords({ agent, isTesting }: { readonly agent: Agent; readonly isTesting: boolean }): ReactNode {
	const { state, source, version, hasUpdate, offered, bytes, test, answeredAt, failedRun, job, canInstall, newest } = agent;
	const doing = job?.state === "running" ? (job.kind === "update" ? words.updating : words.installing) : undefined;
	const word = doing ?? (isBusy(agent) ? words.signingIn : isTesting ? words.testing : undefined);
	if (word !== undefined)
		return (
			<span className="st st-run">
				<Icon of={LoaderCircle} spin />
				{word}
			</span>
		);
	const look = looks[state];
	return (
		<>
			<span className={`st ${look.tone}`}>
				<Icon of={look.icon} />
				{agentStateWords[state]}
			</span>
			{version !== undefined && <span className="num">{visibleName(version)}</span>}
			{source === "found" && <span>{words.found}</span>}
			{hasUpdate && <span>{fill(words.available, { version: visibleName(offered) })}</span>}
			{state === "missing" && canInstall && bytes !== undefined && <span>{fill(words.about, { size: formatBytes(bytes) })}</span>}
			{state === "ready" && test !== undefined && <span className="num">{fill(words.tested, { time: formatSpan(test.tookMs) })}</span>}
			{state === "ready" && test === undefined && answeredAt !== undefined && (
				<span className="num">{fill(testedWords.inRun, { when: formatWhen(answeredAt, Date.now()) })}</span>
			)}
			{state !== "missing" && failedRun !== undefined && (
				<span className="num">{fill(testedWords.failedRun, { when: formatWhen(failedRun.at, Date.now()) })}</span>
			)}
			{state !== "missing" && test !== undefined && (
				<span className="num">{fill(words.asOf, { at: formatWhen(test.at, Date.now()) })}</span>
			)}
			{newest !== undefined && <span className="wrap">{sayNewest(newest, agent)}</span>}
		</>
	);
}

/** What the registry reported. XWorkmate installs only the version that its catalogue names, so a newer one is only mentioned. */
function sayNewest({ version: found, problem, at }: NonNullable<Agent["newest"]>, { version, offered }: Agent): string {
	const asOf = fill(words.asOf, { at: formatWhen(at, Date.now()) });
	if (found === undefined) return fill(words.notChecked, { problem: visibleName(problem?.message ?? ""), asOf });
	if (found === version) return fill(words.isNewest, { asOf });
	return fill(found === offered ? words.newestOffered : words.newestElsewhere, { version: visibleName(found), offered, asOf });
}

interface NextProps extends ManagedAgentRowProps {
	readonly name: string;
}

function Next({ agent, name, isTesting, provider, acts }: NextProps): ReactNode {
	const { state, source, canInstall, hasUpdate, offered, signIn, job } = agent;
	if (isBusy(agent))
		return <Press word={words.cancel} label={fill(words.cancelOf[busyWith(agent)], { agent: name })} press={() => acts.cancel(agent)} />;
	if (state === "missing") {
		if (!canInstall) return null;
		const isAgain = job?.state === "failed";
		const label = fill(isAgain ? words.againOf : words.installOf, { agent: name });
		return <Press word={isAgain ? words.again : words.install} label={label} press={() => acts.install(agent)} />;
	}
	return (
		<>
			{hasUpdate && (
				<Press word={words.update} label={fill(words.updateOf, { agent: name, version: offered })} press={() => acts.update(agent)} />
			)}
			{(state === "needs_sign_in" || signIn.length > 0) && (
				<Press
					word={words.signIn}
					label={fill(words.signInOf, { agent: name })}
					isMain={state === "needs_sign_in"}
					isOff={isTesting}
					press={() => acts.signIn(agent)}
				/>
			)}
			<Press word={words.test} label={fill(words.testOf, { agent: name })} isOff={isTesting} press={() => acts.test(agent)} />
			{provider?.available === true && state !== "needs_sign_in" && (
				<Press word={words.use} label={fill(words.useOf, { agent: name })} press={() => acts.use(provider)} />
			)}
			{source === "installed" && (
				<button
					type="button"
					className="ib"
					aria-label={fill(words.removeOf, { agent: name })}
					title={words.remove}
					disabled={isTesting}
					onClick={() => acts.remove(agent)}
				>
					<Icon of={Trash2} />
				</button>
			)}
		</>
	);
}

interface PressProps {
	readonly word: string;
	readonly label: string;
	readonly isMain?: boolean;
	readonly isOff?: boolean;
	press(): void;
}

function Press({ word, label, isMain = false, isOff = false, press }: PressProps) {
	return (
		<button type="button" className={`btn ${isMain ? "pri" : ""}`} aria-label={label} disabled={isOff} onClick={press}>
			{word}
		</button>
	);
}

import type { Agent, AgentJob, AgentStage } from "@xworkmate/contracts";
import { CircleAlert } from "lucide-react";
import { agentStageWords, agentsPageWords as words } from "../../strings/agents/agents-page-words.ts";
import { fill } from "../../strings/interface.ts";
import { CopyButton } from "../components/copy-button.tsx";
import { CopyLine } from "../components/copy-line.tsx";
import { Icon } from "../components/icon.tsx";
import { formatBytes, formatTime, formatWhen } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";

const stages: readonly AgentStage[] = ["resolving", "downloading", "scripts", "starting"];

/** The installation or update to show. An installation that did not succeed is left out if the agent is there anyway. */
export function shownJob({ job, state }: Agent): AgentJob | undefined {
	return job?.kind === "install" && job.state !== "running" && state !== "missing" ? undefined : job;
}

/** The progress of an installation or update, or when and why it ended, with the log. */
export function AgentJobView({ agent, job }: { readonly agent: Agent; readonly job: AgentJob }) {
	const name = visibleName(agent.name);
	const version = visibleName(agent.version ?? "");
	if (job.state === "cancelled")
		return <p className="small muted">{job.kind === "update" ? fill(words.updateCancelled, { version }) : words.cancelled}</p>;
	if (job.state === "running") return <Progress agent={agent} job={job} name={name} />;
	const { problem, log = "" } = job;
	// The button copies exactly what is shown.
	const shown = log.split("\n").map(visibleName).join("\n").trim();
	const at = formatWhen(job.endedAt ?? job.startedAt, Date.now());
	const title = fill(job.kind === "update" ? words.updateFailed : words.installFailed, { at, version, offered: visibleName(job.version) });
	return (
		<div className="agent-problem small">
			<p className="st st-bad wrap">
				<Icon of={CircleAlert} />
				{title}
			</p>
			{problem !== undefined && (
				<>
					<p className="wrap pre">
						{visibleName(problem.message.split("\n", 4).join(" "))} <span className="code-chip">{problem.code}</span>
					</p>
					<CopyLine text={problem.fix} />
				</>
			)}
			{shown !== "" && (
				<>
					{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
					<section className="agent-log" tabIndex={0} aria-label={fill(words.log, { agent: name })}>
						{shown}
					</section>
					<CopyButton text={shown} label={fill(words.copyLogOf, { agent: name })} word={words.copyLog} />
				</>
			)}
		</div>
	);
}

function Progress({ agent, job, name }: { readonly agent: Agent; readonly job: AgentJob; readonly name: string }) {
	const { stage, packages, bytes, startedAt } = job;
	const facts = [agentStageWords[stage]];
	if (stage === "downloading" && packages !== undefined) facts.push(fill(words.packages, packages));
	if (stage === "downloading" && bytes !== undefined) facts.push(sizes(bytes, agent.bytes));
	facts.push(fill(words.since, { time: formatTime(startedAt) }));
	return (
		<>
			<progress className="agent-progress" aria-label={fill(words.progress, { agent: name })} max={1} value={share(agent, job)} />
			<p className="sub num">
				{facts.map((fact) => (
					<span key={fact}>{fact}</span>
				))}
			</p>
		</>
	);
}

function sizes(bytes: number, total: number | undefined): string {
	return total === undefined ? formatBytes(bytes) : fill(words.sizeOf, { size: formatBytes(bytes), total: formatBytes(total) });
}

/** The share of an installation that is done. Each stage counts for a quarter; the progress of the download is only known approximately. */
function share({ bytes: total }: Agent, { stage, packages, bytes }: AgentJob): number {
	const begun = stages.indexOf(stage) / stages.length;
	if (stage !== "downloading") return begun;
	const byCount = packages === undefined || packages.total === 0 ? 0 : packages.done / packages.total;
	const bySize = total === undefined || bytes === undefined ? byCount : bytes / total;
	return begun + Math.min(1, Math.max(byCount, bySize)) / stages.length;
}

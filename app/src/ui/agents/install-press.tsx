import type { Agent } from "@xworkmate/contracts";
import { Download } from "lucide-react";
import { agentsPageWords as words } from "../../strings/agents/agents-page-words.ts";
import { fill } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";
import { callApp } from "../connection/call-app.ts";
import { hrefOf } from "../state/route.ts";
import { attempt } from "../state/thread-actions.ts";
import { formatBytes } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import { busyWith, isBusy } from "./agent-acts.ts";
import { AgentJobView, shownJob } from "./agent-job-view.tsx";

interface InstallPressProps {
	readonly agent: Agent;
	put(agent: Agent): void;
}

/** Shown where an agent is missing: installs it with one click and shows the progress. */
export function InstallPress({ agent, put }: InstallPressProps) {
	const { agentId, job, bytes, state } = agent;
	const name = visibleName(agent.name);
	const shown = shownJob(agent);
	const isAgain = job?.state === "failed";
	const call = (method: "installAgent" | "cancelAgent") => void attempt(async () => put(await callApp(method, { agentId })));
	return (
		<div className="full agent-problem">
			<div className="flex">
				{isBusy(agent) ? (
					<button
						type="button"
						className="btn"
						aria-label={fill(words.cancelOf[busyWith(agent)], { agent: name })}
						onClick={() => call("cancelAgent")}
					>
						{words.cancel}
					</button>
				) : state === "missing" ? (
					<button
						type="button"
						className="btn"
						aria-label={fill(isAgain ? words.againOf : words.installOf, { agent: name })}
						onClick={() => call("installAgent")}
					>
						<Icon of={Download} />
						{isAgain ? words.again : words.install}
					</button>
				) : (
					<a className="btn" href={hrefOf({ page: "settings", part: "agents" })} aria-label={fill(words.signInOf, { agent: name })}>
						{words.signIn}
					</a>
				)}
				{state === "missing" && bytes !== undefined && <span className="muted num">{fill(words.about, { size: formatBytes(bytes) })}</span>}
			</div>
			{shown !== undefined && <AgentJobView agent={agent} job={shown} />}
		</div>
	);
}

import { type Agent, type ProviderCapability, type ProviderId, providersFile } from "@xworkmate/contracts";
import { CloudDownload, RotateCcw } from "lucide-react";
import { useState } from "react";
import { agentsPageWords } from "../../strings/agents/agents-page-words.ts";
import { count, fill, words } from "../../strings/interface.ts";
import { doctorWords } from "../../strings/settings/doctor-words.ts";
import { settingsPageWords } from "../../strings/settings/settings-page-words.ts";
import { testedState } from "../../text/agents/tested-state.ts";
import { AgentList } from "../agents/agent-list.tsx";
import { ManagedAgents } from "../agents/managed-agents.tsx";
import { newestTrial, problemOf, type Trial, trials, tryAll } from "../agents/provider-trials.ts";
import { useAgents } from "../agents/use-agents.ts";
import { Icon } from "../components/icon.tsx";
import { SlowWord } from "../components/slow-word.tsx";
import { startWith } from "../composer/send-composed.ts";
import { callApp } from "../connection/call-app.ts";
import { useStore } from "../connection/store.ts";
import { agentsInOrder, awayLead } from "../doctor/doctor-view.ts";
import { useApp, useProviders } from "../state/app-context.tsx";
import { attempt } from "../state/thread-actions.ts";
import { say } from "../state/toasts.ts";
import { formatTime } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import { Block } from "./settings-block.tsx";

/** The agents of the catalogue, and below them all others, each with its available actions. */
export function AgentsSettings() {
	const { app, state, announce } = useApp();
	const providers = useProviders();
	const known = useAgents();
	const { put } = known;
	const tried = useStore(trials);
	const [testing, setTesting] = useState<ReadonlySet<ProviderId>>(new Set());
	const [isTestingAll, setTestingAll] = useState(false);
	const managed = known.answer?.agents ?? [];
	// No agents are listed until the catalogue has been read, because it is unknown which list an agent belongs to, and a focused row that
	// moved to the other list would lose the focus.
	const isLoading = known.answer === undefined && known.problem === undefined && state === "live";
	// An older bridge has no catalogue; then all agents are listed here.
	const others = agentsInOrder(providers).filter(({ providerId }) => managed.every(({ agentId }) => agentId !== providerId));
	const file = providers.filter(({ providerId }) => providerId === providersFile);
	const test = async ({ agentId }: Agent): Promise<Agent | undefined> => {
		setTesting((before) => new Set(before).add(agentId));
		let tested: Agent | undefined;
		await attempt(async () => {
			tested = await callApp("testAgent", { agentId });
			put(tested);
		});
		setTesting((before) => new Set([...before].filter((one) => one !== agentId)));
		return tested;
	};
	const [isChecking, setChecking] = useState(false);
	const check = async () => {
		setChecking(true);
		await attempt(async () => {
			const { agents } = await callApp("checkAgents", {});
			await known.read();
			const said = checkedWords(agents.filter(({ source }) => source === "installed"));
			announce(said);
			if (said === agentsPageWords.checked.none) say(said);
		});
		setChecking(false);
	};
	const testAll = async () => {
		setTestingAll(true);
		// The agents are tested one at a time, because starting an agent uses a lot of CPU time.
		for (const agent of managed) if (agent.state !== "missing") await test(agent);
		await attempt(() => tryAll(others));
		setTestingAll(false);
	};
	return (
		<>
			<header className="doctor-head">
				{isLoading ? (
					<div className="grow">
						<SlowWord word={words.picker.none} />
					</div>
				) : (
					<p className="soft grow">{awayLead(app.bridge) ?? leadOf(managed, others, tried)}</p>
				)}
				{managed.length > 0 && (
					<button
						type="button"
						className="btn"
						title={agentsPageWords.checkSay}
						disabled={isChecking}
						aria-busy={isChecking}
						onClick={() => void check()}
					>
						<Icon of={CloudDownload} />
						{isChecking ? agentsPageWords.checking : agentsPageWords.check}
					</button>
				)}
				<button type="button" className="btn" disabled={isTestingAll || isLoading} onClick={() => void testAll()}>
					<Icon of={RotateCcw} spin={isTestingAll} />
					{isTestingAll ? settingsPageWords.testing : doctorWords.testAll}
				</button>
			</header>
			{known.problem !== undefined && (
				<div className="note bad" role="alert">
					<p className="grow">
						<b>{agentsPageWords.failed}</b> {known.problem}
						{known.readAt !== undefined && ` ${fill(doctorWords.lastKnown, { time: formatTime(known.readAt) })}`}
					</p>
					<button type="button" className="btn" onClick={() => void known.read()}>
						{agentsPageWords.again}
					</button>
				</div>
			)}
			{managed.length > 0 && (
				<section className="block" aria-label={agentsPageWords.here}>
					<h3>
						{agentsPageWords.here} <span className="muted normal">{agentsPageWords.hereSay}</span>
					</h3>
					<ManagedAgents known={known} testing={testing} test={test} use={(provider) => startWith(provider, app.newDraft)} />
				</section>
			)}
			{!isLoading && (
				<Block title={managed.length > 0 ? agentsPageWords.others : doctorWords.agents}>
					<AgentList providers={others} canTry />
					{file.length > 0 && <AgentList providers={file} />}
				</Block>
			)}
		</>
	);
}

/** What a check for newer versions of the installed agents came to. */
function checkedWords(installed: readonly Agent[]): string {
	const { none, done, failed } = agentsPageWords.checked;
	const problems = installed.flatMap(({ newest }) => newest?.problem ?? []);
	const [first] = problems;
	if (installed.length === 0) return none;
	return first === undefined ? done : fill(failed, { agents: count(problems.length, "agent"), problem: visibleName(first.message) });
}

/** A sentence about how many of the agents below are ready, those of the catalogue and those that the user set up. */
function leadOf(managed: readonly Agent[], others: readonly ProviderCapability[], tried: ReadonlyMap<ProviderId, Trial>): string {
	const { none, onlyScript, untested, onlyScriptUntested, one, many, onePlus, manyPlus } = agentsPageWords.lead;
	const works = others.filter((provider) => problemOf(provider, newestTrial(provider, tried)) === undefined);
	const isTested = (provider: ProviderCapability) => newestTrial(provider, tried)?.state === "over" || testedState(provider) !== "untested";
	const shown = works.filter(isTested);
	const hasScript = shown.some(({ own }) => own === "programs");
	const count = managed.filter(({ state }) => state === "ready").length + shown.length - (hasScript ? 1 : 0);
	if (count > 0) return fill(count === 1 ? (hasScript ? onePlus : one) : hasScript ? manyPlus : many, { count });
	const isFound = shown.length < works.length || managed.some(({ state }) => state === "untested");
	if (isFound) return hasScript ? onlyScriptUntested : untested;
	return hasScript ? onlyScript : none;
}

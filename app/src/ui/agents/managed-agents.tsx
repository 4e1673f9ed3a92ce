import type { Agent, ProviderId } from "@xworkmate/contracts";
import { useEffect, useRef, useState } from "react";
import { agentsPageWords as words } from "../../strings/agents/agents-page-words.ts";
import { fill } from "../../strings/interface.ts";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { CopyLine } from "../components/copy-line.tsx";
import { callApp } from "../connection/call-app.ts";
import { useApp, useProviders } from "../state/app-context.tsx";
import { attempt } from "../state/thread-actions.ts";
import { say } from "../state/toasts.ts";
import { visibleName } from "../text/visible-text.ts";
import { type AgentActs, busyWith, isBusy } from "./agent-acts.ts";
import { ManagedAgentRow } from "./managed-agent-row.tsx";
import { SignInDialog } from "./sign-in-dialog.tsx";
import type { useAgents } from "./use-agents.ts";

interface ManagedAgentsProps {
	readonly known: ReturnType<typeof useAgents>;
	/** The agents that are being tested, whichever part of the page began the test. */
	readonly testing: ReadonlySet<ProviderId>;
	test(agent: Agent): Promise<Agent | undefined>;
	use: AgentActs["use"];
}

/** The agents of the catalogue, each with what the user can do with it. The ones on the bridge's computer come first. */
export function ManagedAgents({ known, testing, test, use }: ManagedAgentsProps) {
	const { announce } = useApp();
	const providers = useProviders();
	const [signing, setSigning] = useState<ProviderId>();
	const [removing, setRemoving] = useState<Agent>();
	const { answer, put } = known;
	const agents = answer?.agents ?? [];
	useEnds(agents, (text) => announce(text));
	const act = (method: "installAgent" | "updateAgent" | "cancelAgent") => (agent: Agent) =>
		void attempt(async () => put(await callApp(method, { agentId: agent.agentId })));
	const signIn = async (agent: Agent) => {
		// An agent reports its sign-in methods only once it has been started.
		const asked = agent.signIn.length > 0 ? agent : await test(agent);
		if (asked !== undefined && asked.signIn.length > 0) setSigning(agent.agentId);
	};
	const acts: AgentActs = {
		install: act("installAgent"),
		update: act("updateAgent"),
		cancel: act("cancelAgent"),
		test: (agent) => void test(agent),
		signIn: (agent) => void signIn(agent),
		remove: setRemoving,
		use,
	};
	const remove = async ({ agentId, name }: Agent) => {
		await attempt(async () => {
			const agent = await callApp("removeAgent", { agentId });
			put(agent);
			say(fill(agent.removed === false ? words.notRemoved : words.removed, { agent: visibleName(name) }));
		});
	};
	const signed = agents.find(({ agentId }) => agentId === signing);
	return (
		<>
			{answer?.problems.map(({ code, message, fix }) => (
				<div key={code} className="note bad" role="alert">
					<div className="grow">
						<p className="wrap">{visibleName(message)}</p>
						<CopyLine text={fix} />
					</div>
					<span className="code-chip">{code}</span>
				</div>
			))}
			<ul className="list" aria-label={words.here}>
				{inOrder(agents).map((agent) => (
					<ManagedAgentRow
						key={agent.agentId}
						agent={agent}
						isTesting={testing.has(agent.agentId)}
						provider={providers.find(({ providerId }) => providerId === agent.agentId)}
						acts={acts}
					/>
				))}
			</ul>
			{signed !== undefined && (
				<SignInDialog agent={signed} put={put} test={test} cancel={acts.cancel} close={() => setSigning(undefined)} />
			)}
			<ConfirmDialog
				isOpen={removing !== undefined}
				title={fill(words.removing.title, { agent: visibleName(removing?.name ?? "") })}
				say={words.removing.say}
				cancel={words.removing.cancel}
				word={words.remove}
				isDanger
				confirm={() => removing && remove(removing)}
				close={() => setRemoving(undefined)}
			/>
		</>
	);
}

/**
 * Agents that are on the bridge's computer come first (installed, found or defined), then those whose installation is in progress or did
 * not succeed.
 */
function inOrder(agents: readonly Agent[]): readonly Agent[] {
	const rank = (agent: Agent) => (agent.state !== "missing" ? 0 : agent.job !== undefined ? 1 : 2);
	return agents.toSorted((one, other) => rank(one) - rank(other));
}

/** Announces how an installation, an update or a sign-in ended, because the user may be in another part of the page. */
function useEnds(agents: readonly Agent[], tell: (text: string) => void): void {
	const before = useRef<ReadonlyMap<ProviderId, Doing>>(new Map());
	useEffect(() => {
		const busy = new Map(
			agents.filter(isBusy).map((agent) => [agent.agentId, { what: busyWith(agent), version: agent.version, wanted: agent.job?.version }]),
		);
		for (const agent of agents) {
			const ended = busy.has(agent.agentId) ? undefined : before.current.get(agent.agentId);
			if (ended !== undefined) tell(endOf(agent, ended));
		}
		before.current = busy;
	}, [agents, tell]);
}

/** What was in progress, the version that was installed then, and the one that was being installed. */
interface Doing {
	readonly what: ReturnType<typeof busyWith>;
	readonly version: string | undefined;
	readonly wanted: string | undefined;
}

/**
 * The words for how the activity ended. A failed installation is still recorded after a later sign-in, so it is ignored for the sign-in.
 * A bridge that was restarted in the meantime knows nothing of an installation; the version shows whether it had succeeded.
 */
function endOf({ name, version = "", state, job }: Agent, { what, version: before = "", wanted = "" }: Doing): string {
	const values = { agent: visibleName(name), version: visibleName(version) };
	if (what === "signIn") return fill(words.signedIn[state], values);
	if (job === undefined && version === before && version !== wanted) return fill(words.interrupted[what], values);
	if (job === undefined) return fill(words.installed[state], values);
	return fill(what === "update" ? words.notUpdated : words.notInstalled, values);
}

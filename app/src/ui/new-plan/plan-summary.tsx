import type { Channel, ProviderCapability } from "@xworkmate/contracts";
import { CircleCheck, TriangleAlert } from "lucide-react";
import { fill } from "../../strings/interface.ts";
import { channelWords, unreadyWords } from "../../strings/plans/plan-words.ts";
import { plansPageWords } from "../../strings/plans/plans-page-words.ts";
import { testedState } from "../../text/agents/tested-state.ts";
import { capitalized } from "../../text/capital.ts";
import { channelList } from "../../text/plans/channel-list.ts";
import { channelState } from "../../text/plans/channel-test.ts";
import { Icon } from "../components/icon.tsx";
import { isElsewhere } from "../plans/next-due.ts";
import { useApp, useProviderName, useProviders } from "../state/app-context.tsx";
import { formatSpan } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import { NextTimes, useSchedule } from "./next-times.tsx";
import { missingOf, movedTimeOf, type PlanDraft, providerOf, scheduleOf } from "./plan-draft.ts";

const words = plansPageWords.form;

interface PlanSummaryProps {
	readonly draft: PlanDraft;
	readonly channels: readonly Channel[];
	/** True for a paused plan, which does not become due. */
	readonly isPaused?: boolean;
}

/** What the plan will do, in words, with its next times, and whether its agent and channels are ready. */
export function PlanSummary({ draft, channels, isPaused = false }: PlanSummaryProps) {
	const asked = scheduleOf(draft);
	const { date, days, to: missingTo } = missingOf(draft);
	// The form itself says what its schedule lacks, so the bridge isn't asked about an incomplete one.
	const isWhole = date === undefined && days === undefined;
	const { schedule, problem } = useSchedule(isWhole ? asked : undefined);
	const providers = useProviders();
	const agent = providers.find(({ providerId }) => providerId === providerOf(draft));
	const agentName = visibleName(useProviderName(providerOf(draft)));
	const limits = useApp().app.bridge.capabilities?.limits;
	const places = channelList(draft.to);
	const isAgents = draft.writer === "agent";
	const what = isAgents ? fill(places === "" ? words.whatWork : words.whatAgent, { agent: agentName }) : words.whatPerson;
	const to = places === "" ? words.nobody : fill(words.to, { places });
	// If the bridge refuses the schedule or has not answered yet, there are no words for it, so nothing is said about when the plan is due.
	const when = schedule?.words ?? (draft.when === "now" ? words.nowWords : undefined);
	const said = when === undefined ? `${what} ${to}` : fill(words.sentence, { when: capitalized(when), what, to });
	return (
		<>
			<section className="sec">
				<h3>{words.inWords}</h3>
				<p>{date ?? days ?? missingTo ?? said}</p>
			</section>
			{draft.when !== "now" && (
				<section className="sec" aria-live="polite">
					<h3>
						{draft.when === "once" ? words.nextOne : words.next}
						{schedule !== undefined && isElsewhere(asked.timezone) && <span className="muted normal small"> {words.yourTime}</span>}
					</h3>
					{isPaused && <p className="note">{words.isPaused}</p>}
					{problem !== undefined && <p className="err">{problem}</p>}
					<NextTimes schedule={schedule} timezone={asked.timezone} note={movedTimeOf(draft)} />
				</section>
			)}
			<section className="sec">
				<h3>{words.checks}</h3>
				<ul className="checks">
					{isAgents && agent !== undefined && <AgentCheck agent={agent} name={agentName} />}
					{[...new Set(draft.to.map(({ channel }) => channel))].map((id) => {
						const channel = channels.find((one) => one.channel === id);
						const name = channelWords[id];
						if (channel === undefined) return null;
						const state = channelState(channel);
						const say = state === "unready" ? unreadyWords : words.channelIs[state];
						return <Check key={id} isOk={state === "ready"} say={fill(say, { channel: name })} />;
					})}
					{isAgents && agent?.features.approvals === true && limits !== undefined && (
						<Check
							isOk={false}
							say={fill(words.asks, { agent: agentName })}
							more={fill(words.asksSay, { time: formatSpan(limits.approvalMs) })}
						/>
					)}
				</ul>
			</section>
		</>
	);
}

function AgentCheck({ agent, name }: { readonly agent: ProviderCapability; readonly name: string }) {
	if (!agent.available) return <Check isOk={false} say={visibleName(agent.unavailable?.message ?? "")} />;
	const state = agent.failedRun === undefined ? testedState(agent) : "failedRun";
	return <Check isOk={state === "ready"} say={fill(words.agentIs[state], { name })} />;
}

function Check({ isOk, say, more }: { readonly isOk: boolean; readonly say: string; readonly more?: string }) {
	return (
		<li className={isOk ? "st-ok" : "st-miss"}>
			<Icon of={isOk ? CircleCheck : TriangleAlert} />
			<span>
				{say}
				{more !== undefined && <small className="muted"> {more}</small>}
			</span>
		</li>
	);
}

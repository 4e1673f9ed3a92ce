import type { Channel, MethodResult } from "@xworkmate/contracts";
import { CircleCheck, Clock, TriangleAlert } from "lucide-react";
import { useEffect, useState } from "react";
import { fill } from "../../strings/interface.ts";
import { channelWords } from "../../strings/plan-words.ts";
import { plansPageWords } from "../../strings/plans-page-words.ts";
import { Icon } from "../components/icon.tsx";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { useProviders } from "../state/app-context.tsx";
import { visibleName } from "../text/visible-text.ts";
import { type PlanDraft, providerOf, scheduleOf } from "./plan-draft.ts";
import { zonedTime } from "./zoned-time.ts";

const words = plansPageWords.form;
/** While a schedule is typed it is not asked for with every key. */
const TYPING_MS = 250;

type Schedule = MethodResult<"xworkmate.plans.schedule">;

interface PlanSummaryProps {
	readonly draft: PlanDraft;
	readonly channels: readonly Channel[];
}

/** What the plan will do, in words, its next times, and what stands in its way. */
export function PlanSummary({ draft, channels }: PlanSummaryProps) {
	const { schedule, problem } = useSchedule(draft);
	const providers = useProviders();
	const agent = providers.find(({ providerId }) => providerId === providerOf(draft));
	const agentName = visibleName(agent?.label ?? "");
	const places = draft.to.map(({ channel }) => channelWords[channel]).join(", ");
	const isAgents = draft.writer === "agent";
	const what = isAgents ? fill(words.whatAgent, { agent: agentName }) : words.whatPerson;
	const to = places === "" ? words.nobody : fill(words.to, { places });
	return (
		<>
			<section className="sec">
				<h3>{words.inWords}</h3>
				<p>{fill(words.sentence, { when: capital(schedule?.words ?? words.nowWords), what, to })}</p>
			</section>
			{draft.when !== "now" && (
				<section className="sec" aria-live="polite">
					<h3>
						{draft.when === "once" ? words.nextOne : words.next}
						{schedule !== undefined && isElsewhere(draft) && <span className="muted normal small"> {words.yourTime}</span>}
					</h3>
					{problem !== undefined && <p className="err">{problem}</p>}
					<ul className="next5">
						{schedule?.times.map(({ at, note }) => {
							const { there, here } = zonedTime(at, scheduleOf(draft).timezone);
							return (
								<li key={at}>
									<span>{there}</span>
									<span className="n2">{isElsewhere(draft) ? `(${here})` : ""}</span>
									{note !== undefined && (
										<p className="moved">
											<Icon of={Clock} small />
											{note}
										</p>
									)}
								</li>
							);
						})}
					</ul>
				</section>
			)}
			<section className="sec">
				<h3>{words.checks}</h3>
				<ul className="checks">
					{isAgents && agent?.available === true && <Check isOk say={fill(words.ready, { name: agentName })} />}
					{isAgents && agent?.available === false && <Check isOk={false} say={visibleName(agent.unavailable?.message ?? "")} />}
					{[...new Set(draft.to.map(({ channel }) => channel))].map((id) => {
						const channel = channels.find((one) => one.channel === id);
						const name = channelWords[id];
						if (channel === undefined) return null;
						const say = channel.ready ? fill(words.channelReady, { channel: name }) : fill(words.notSetUp, { channel: name });
						return <Check key={id} isOk={channel.ready} say={say} />;
					})}
					{isAgents && agent?.features.approvals === true && (
						<Check isOk={false} say={fill(words.asks, { agent: agentName })} more={words.asksSay} />
					)}
				</ul>
			</section>
		</>
	);
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

/** What the bridge makes of the schedule; asked for again when it changes. */
function useSchedule(draft: PlanDraft): { readonly schedule?: Schedule; readonly problem?: string } {
	const [answer, setAnswer] = useState<{ readonly schedule?: Schedule; readonly problem?: string }>({});
	const asked = JSON.stringify(scheduleOf(draft));
	useEffect(() => {
		let isOld = false;
		const timer = setTimeout(() => {
			callApp("planSchedule", JSON.parse(asked)).then(
				(schedule) => !isOld && setAnswer({ schedule }),
				(error: unknown) => !isOld && setAnswer({ problem: sayError(error) }),
			);
		}, TYPING_MS);
		return () => {
			isOld = true;
			clearTimeout(timer);
		};
	}, [asked]);
	return answer;
}

/** True: its times are those of another zone than this computer's. */
function isElsewhere(draft: PlanDraft): boolean {
	return scheduleOf(draft).timezone !== new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function capital(text: string): string {
	return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

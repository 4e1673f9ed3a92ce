import type { FileState } from "../../../src/api/ui-api.ts";
import { words as say } from "../../../src/strings/interface.ts";
import { fileWords, type ShownState, stateWords } from "../../../src/strings/runs/states.ts";
import { ActivityBlock } from "../../../src/ui/activity/activity-block.tsx";
import { ApprovalCard } from "../../../src/ui/approvals/approval-card.tsx";
import { PageBar } from "../../../src/ui/components/page-bar.tsx";
import { StateChip } from "../../../src/ui/components/state-chip.tsx";
import { FileRow } from "../../../src/ui/files/file-row.tsx";
import { Trail } from "../../../src/ui/receipts/trail.tsx";
import { AgentPlan } from "../../../src/ui/run/agent-plan.tsx";
import { OutcomeCard } from "../../../src/ui/run/outcome-card.tsx";
import { RunBar } from "../../../src/ui/run/run-bar.tsx";
import { StageRail } from "../../../src/ui/run/stage-rail.tsx";
import { ToolRow } from "../../../src/ui/run/tool-call-row.tsx";
import { deriveRail } from "../../../src/ui/turn/rail.ts";
import { activityStories, callStories, STORY_THREAD, trailStory } from "./call-stories.ts";
import {
	approvalStories,
	openCallStories,
	openToolStory,
	outcomeStories,
	railStories,
	runBarStories,
	STORY_NOW,
	sampleFile,
	samplePlan,
	toolStories,
} from "./part-stories.ts";

const NOTHING = () => {};

function keysOf<K extends string>(record: Readonly<Record<K, unknown>>): readonly K[] {
	return Object.keys(record).filter((key): key is K => Object.hasOwn(record, key));
}

/** Every part in every state, with made-up values: for visual review and the accessibility check. Nothing here is sent anywhere. */
export function PartsPage() {
	return (
		<main className="main" tabIndex={-1}>
			<PageBar title="Parts and words" />
			<div className="scroll">
				<div className="page wide">
					<section className="block" aria-label="States">
						<h2>States: an icon, a word, then colour</h2>
						<p className="flex parts-wrap">
							{keysOf<ShownState>(stateWords).map((state) => (
								<StateChip key={state} state={state} />
							))}
							<StateChip state="queued" place={{ position: 2, length: 5 }} />
						</p>
					</section>
					<section className="block parts-list" aria-label="Stage rail">
						<h2>Stage rail</h2>
						{railStories.map(({ name, view }) => (
							<StageRail
								key={name}
								segments={deriveRail(view, {
									createdAt: view.stages[0]?.at ?? STORY_NOW,
									now: Date.parse(STORY_NOW),
								})}
							/>
						))}
					</section>
					<section className="block parts-list" aria-label="Run bar">
						<h2>Run bar, stage by stage</h2>
						{runBarStories.map(({ name, ...story }) => (
							<div className="dockbox" key={name}>
								<RunBar away={false} gateway={false} now={Date.parse(STORY_NOW)} stop={NOTHING} tryNow={NOTHING} {...story} />
							</div>
						))}
					</section>
					<section className="block parts-list" aria-label="Requests">
						<h2>Requests</h2>
						{approvalStories.map(({ name, approval }) => (
							<ApprovalCard key={name} approval={approval} provider="Codex" now={Date.parse(STORY_NOW)} singleKeys decide={NOTHING} />
						))}
					</section>
					<section className="block parts-list" aria-label="Requests of tools">
						<h2>Requests of tools</h2>
						{callStories.map(({ name, ...story }) => (
							<ApprovalCard key={name} provider="Assistant" now={Date.parse(STORY_NOW)} singleKeys decide={NOTHING} {...story} />
						))}
					</section>
					<section className="block parts-list" aria-label="Actions">
						<h2>Actions</h2>
						{activityStories.map(({ name, ...story }) => (
							<div className="out" key={name}>
								<ActivityBlock threadId={STORY_THREAD} provider="Codex" {...story} />
							</div>
						))}
						<div className="trail">
							<Trail receipts={trailStory} />
						</div>
					</section>
					<section className="block parts-list" aria-label="Steps">
						<h2>Plan and steps</h2>
						<AgentPlan entries={samplePlan} live />
						<div className="acts">
							{toolStories.map((item) => (
								<ToolRow open="live" key={item.key} item={item} />
							))}
							{openCallStories.map((open) => (
								<ToolRow open={open} key={open} item={openToolStory} />
							))}
						</div>
					</section>
					<section className="block" aria-label={say.files.label}>
						<h2>{say.files.label}</h2>
						<ul className="files">
							{keysOf<FileState>(fileWords).map((state) => (
								<FileRow
									key={state}
									file={{ ...sampleFile, state }}
									required={state === "checked"}
									current={false}
									downloadUrl="#/parts"
									open={NOTHING}
								/>
							))}
						</ul>
					</section>
					<section className="block parts-list" aria-label="Outcomes">
						<h2>What each code says</h2>
						{outcomeStories.map(({ name, outcome }) => (
							<OutcomeCard key={name} outcome={outcome} files={[]} act={NOTHING} openFile={NOTHING} />
						))}
					</section>
				</div>
			</div>
		</main>
	);
}

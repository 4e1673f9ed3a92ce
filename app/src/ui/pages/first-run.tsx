import { words } from "../../strings/interface.ts";
import { PageBar } from "../components/page-bar.tsx";
import { AddAgent, AskAssistant, useUsableAssistant } from "./add-agent.tsx";
import { FirstAction } from "./first-action.tsx";
import { FirstFile } from "./first-file.tsx";

/**
 * Shown before the first thread: the assistant, if it can be used; a button for an action that asks first; a button for a finished file;
 * and how to install an agent.
 */
export function FirstRun() {
	const isUsable = useUsableAssistant();
	return (
		<main className="main" tabIndex={-1}>
			<PageBar title={words.first.title} />
			<div className="scroll">
				<div className="page">
					{isUsable && <AskAssistant />}
					<header>
						<h2>{words.firstAction.head}</h2>
						<p className="lead">{words.firstAction.lead}</p>
					</header>
					<FirstAction isMain={!isUsable} />
					<section className="block" aria-label={words.first.head}>
						<h2>{words.first.head}</h2>
						<p className="soft">{words.first.lead}</p>
						<FirstFile />
					</section>
					<AddAgent title={words.first.agents} withoutAssistant={isUsable} />
				</div>
			</div>
		</main>
	);
}

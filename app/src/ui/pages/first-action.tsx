import type { Integration } from "@xworkmate/contracts";
import { Wrench } from "lucide-react";
import { words } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";
import { callApp } from "../connection/call-app.ts";
import { useApp } from "../state/app-context.tsx";
import { setPreferences } from "../state/preferences.ts";
import { useClock } from "../state/use-clock.ts";
import { useTools } from "../tools/use-tools.ts";
import { actionProgram, actionPrompt } from "./action-program.ts";
import { FirstTry } from "./first-try.tsx";

const EXAMPLE = "calendar";

/** With one click, adds the calendar example and sends a program that asks before it acts. Needs neither an agent nor a key. */
export function FirstAction({ isMain }: { readonly isMain: boolean }) {
	const { app } = useApp();
	const { integrations } = useTools();
	const isThere = integrations?.some(isCalendar);
	const program = actionProgram(new Date(useClock()));
	const { label, steps, task, send, adds, uses, where } = words.firstAction;
	return (
		<FirstTry
			{...{ label, steps, task, program, press: send }}
			// The date is read when the button is pressed, because the page may have been open since yesterday.
			message={() => ({ prompt: actionPrompt(actionProgram(new Date())) })}
			isMain={isMain}
			facts={
				isThere !== undefined && (
					<>
						<span>
							<Icon of={Wrench} small /> {isThere ? uses : adds}
						</span>
						{!isThere && app.bridge.own && <span>{where}</span>}
					</>
				)
			}
			prepare={addExample}
			sent={(threadId) => setPreferences({ firstAction: threadId })}
		/>
	);
}

/** If a calendar is already installed, it may be the user's own, so it is left unchanged. */
async function addExample(): Promise<void> {
	const { integrations } = await callApp("listTools", {});
	if (!integrations.some(isCalendar)) await callApp("addTools", { example: EXAMPLE });
}

function isCalendar({ integration }: Pick<Integration, "integration">): boolean {
	return integration === EXAMPLE;
}

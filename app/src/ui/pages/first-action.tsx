import { Wrench } from "lucide-react";
import { useMemo } from "react";
import { words } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";
import { callApp } from "../connection/call-app.ts";
import { setPreferences } from "../state/preferences.ts";
import { actionProgram, actionPrompt } from "./action-program.ts";
import { FirstTry } from "./first-try.tsx";

const EXAMPLE = "calendar";

/** With one click, adds the calendar example and sends a program that asks before it acts. Needs neither an agent nor a key. */
export function FirstAction({ isMain }: { readonly isMain: boolean }) {
	const program = useMemo(() => actionProgram(new Date()), []);
	const { label, steps, task, send, adds, where } = words.firstAction;
	return (
		<FirstTry
			{...{ label, steps, task, program, press: send }}
			message={{ prompt: actionPrompt(program) }}
			isMain={isMain}
			facts={
				<>
					<span>
						<Icon of={Wrench} small /> {adds}
					</span>
					<span>{where}</span>
				</>
			}
			prepare={addExample}
			sent={(threadId) => setPreferences({ firstAction: threadId })}
		/>
	);
}

/** If a calendar is already there, it is the user's own, and is left as it is. */
async function addExample(): Promise<void> {
	const { integrations } = await callApp("listTools", {});
	if (integrations.every(({ integration }) => integration !== EXAMPLE)) await callApp("addTools", { example: EXAMPLE });
}

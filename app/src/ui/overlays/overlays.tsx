import { KeySheet } from "../keys/key-sheet.tsx";
import { Palette } from "../palette/palette.tsx";
import { PlanMenu } from "../plans/plan-menu.tsx";
import { ThreadDialogs } from "../sidebar/thread-dialogs.tsx";
import { ThreadMenu } from "../sidebar/thread-menu.tsx";
import { Toasts } from "./toasts.tsx";

/** The menus, dialogs and toasts that open over any page. They are not part of its first paint. */
export function Overlays() {
	return (
		<>
			<ThreadMenu />
			<PlanMenu />
			<ThreadDialogs />
			<KeySheet />
			<Palette />
			<Toasts />
		</>
	);
}

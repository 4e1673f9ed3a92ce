import { Suspense, useState } from "react";
import { ErrorBoundary, type FallbackProps } from "react-error-boundary";
import { words } from "../../strings/interface.ts";
import { SlowWord } from "../components/slow-word.tsx";
import { useStore } from "../connection/store.ts";
import { isKeySheetOpen } from "../keys/open-key-sheet.ts";
import { isPaletteOpen } from "../keys/open-palette.ts";
import { forgetFailure, OnDemand } from "../on-demand/on-demand.ts";
import { PartFault } from "../on-demand/part-fault.tsx";
import { planMenu } from "../plans/plan-menu-state.ts";
import { askedDialog } from "../sidebar/asked-dialog.ts";
import { threadMenu } from "../sidebar/thread-menu-button.tsx";
import { untold } from "../state/toasts.ts";

export const overlays = new OnDemand(() => import("./overlays.tsx").then(({ Overlays }) => Overlays));

/** Menus, dialogs and toasts, which are loaded when one of them is opened, or ahead of time. */
export function OverlaysOnDemand({ isAhead }: { readonly isAhead: boolean }) {
	const isThreadMenu = useStore(threadMenu) !== undefined;
	const isPlanMenu = useStore(planMenu) !== undefined;
	const isMenu = isThreadMenu || isPlanMenu;
	const isDialog = useStore(askedDialog) !== undefined;
	const isSheet = useStore(isKeySheetOpen);
	const isPalette = useStore(isPaletteOpen);
	const isToast = useStore(untold).length > 0;
	const isWanted = isAhead || isMenu || isDialog || isSheet || isPalette || isToast;
	const [isShown, setShown] = useState(isWanted);
	if (isWanted && !isShown) setShown(true);
	if (!isShown) return null;
	return (
		<ErrorBoundary FallbackComponent={OverlaysFault} onError={forgetFailure}>
			<Suspense fallback={<OverlaysLoading isWanted={isMenu || isDialog || isSheet || isPalette || isToast} />}>
				<overlays.Part />
			</Suspense>
		</ErrorBoundary>
	);
}

/** Says that the overlays are being loaded, if one of them is to be shown. Renders nothing while they are loaded ahead of time. */
function OverlaysLoading({ isWanted }: { readonly isWanted: boolean }) {
	if (!isWanted) return null;
	return (
		<section className="offer">
			<SlowWord word={words.page.loadingPart} />
		</section>
	);
}

/** Shows the messages that could not be shown as toasts. */
function OverlaysFault(props: FallbackProps) {
	const messages = useStore(untold);
	return (
		<section className="offer">
			{messages.map(({ text }) => (
				<p key={text} role="alert">
					{text}
				</p>
			))}
			<PartFault {...props} className="part-fault" />
		</section>
	);
}

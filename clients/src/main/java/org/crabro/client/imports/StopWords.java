package org.crabro.client.imports;

import java.util.Set;

/**
 * Words of five letters and more that are frequent in any text of their language, and words of
 * headers of mails. A search for one of them finds most texts.
 */
final class StopWords {
    private static final Set<String> WORDS =
            Set.of(
                    """
                    about above across after again against ainsi alcuni alguna algunas alguno
                    algunos allem allen aller alles allora almost alone along alors already
                    although altra altre altri altro always among anche ancora andere anderem
                    anderen anderer anderes anders another antes anyone anything application après
                    aquel aquella aquellas aquellos around assez attachment aucun aucune aunque
                    aussi autre autres außer avant avere aveva avoir avons beaucoup because become
                    becomes before began behind beide beiden being below bereits between beyond
                    bijna bisher boundary boven cannot celle celles celui cette chaque charset
                    comme comment content contra contre cordialement could cuales cuando daarom
                    dabei dafür daher dalla dalle damit danach daran darauf daraus darin darum
                    darüber davon degli deine deinem deinen deiner della delle dello demnach denen
                    dennoch dentro depuis deren desde deshalb dessen devant diese diesem diesen
                    dieser dieses disposition doing donde durante durch during ebenso echter
                    eigentlich einem einen einer eines einige einigen einmal either ellas elles
                    ellos encoding encore enige enough entonces entre erano especially essere
                    estaba estado estar estas estos están etwas eurem euren every everyone
                    everything except faire falls fatto finché first forwarded found fueron fuori
                    further gegen getting geweest gewesen given gives going grüße haben había
                    hacer hacia hanno hasta hatte hatten having hebben heeft hello hence herself
                    heute himself hinter hoewel however hätte hätten iemand ihnen ihrem ihren
                    ihrer image immer indeed indem indien inline inside insieme instead invece
                    itself jedem jeden jeder jedes jedoch jetzt jusqu keine keinem keinen keiner
                    known konnte kunnen können könnte later least leurs likely little looking
                    lorsque luego machen mailed mailto makes making manche maybe meest meine
                    meinem meinen meiner mentre message mientras might mindestens misma mismo
                    moeten moins molte molti molto mucho muchos multipart musste myself mêmes
                    müssen nachdem nearly neben nella nelle nello never nicht nichts niente niets
                    nosotros nostra nostro nothing notre nuestra nuestro nämlich obwohl often
                    ognuno oltre omdat onder original other others otherwise otras otros ourselves
                    parce pendant perché perhaps peuvent plain please plusieurs poiché porque
                    pourquoi prima printable proprio puede pueden qualche quale quali quand quando
                    quanto quasi quella quelle quelles quelli quello quelque quelques quels questa
                    queste questi questo quien quienes quite quoted rather really received
                    recipient reeds regards reply right schon schrieb seems según seine seinem
                    seinen seiner selbst sempre sender senza seront several shall should siempre
                    signature since sinds slechts sobre sogar solche sollen sollte sollten someone
                    something sometimes sommige sondern sonst sopra sotto souvent soweit stata
                    stati stato still subject taken taking también tanto tegen tener terwijl thank
                    thanks their theirs themselves there therefore these thing things think those
                    though three through tiene tienen tijdens todas todos together toujours toute
                    toutes toward towards transfer tussen tutta tutte tutti tutto under unser
                    unsere unserem unseren unsubscribe unter until using usually version verso
                    viele vielen vielleicht votre waarom wanneer wants waren warum wegen weiter
                    welche welchem welchen welcher welke weniger werde werden whatever where
                    whether which while whole whose wieder wirklich within without wollen wollte
                    worden wordt would wrote wurde wurden würde würden years yours yourself zoals
                    zonder zullen zwischen étaient était étant überhaupt
                    """
                            .strip()
                            .split("\\s+"));

    private StopWords() {}

    /** Returns whether a word in lower case is frequent in any text. */
    static boolean contains(String word) {
        return WORDS.contains(word);
    }
}

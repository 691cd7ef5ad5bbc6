import java.io.FileInputStream;
import java.util.TreeSet;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;

/**
 * Takes files, each after its flavour, such as 2a. Prints a line of JSON for each: how many checks were made, and the rules that the
 * file breaks.
 */
public class Check {
    public static void main(String[] arguments) throws Exception {
        VeraGreenfieldFoundryProvider.initialise();
        for (int index = 0; index < arguments.length; index += 2) check(arguments[index], arguments[index + 1]);
    }

    private static void check(String name, String path) throws Exception {
        var flavour = PDFAFlavour.fromString(name);
        var foundry = Foundries.defaultInstance();
        try (var file = new FileInputStream(path);
                var parser = foundry.createParser(file, flavour);
                var validator = foundry.createValidator(flavour, false)) {
            var result = validator.validate(parser);
            var broken = new TreeSet<String>();
            for (var assertion : result.getTestAssertions()) {
                if (assertion.getStatus() != TestAssertion.Status.FAILED) continue;
                var rule = assertion.getRuleId();
                broken.add("\"" + rule.getClause() + "-" + rule.getTestNumber() + "\"");
            }
            System.out.println("{\"checks\":" + result.getTotalAssertions() + ",\"broken\":" + broken + "}");
        }
    }
}

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_REPORT_H
#define DCN_REPORT_H

#include "ns3/dcn-estimator.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief A page of results as one HTML file that needs nothing else: no network, no further files.
 *
 * Tables are sorted by a click on the head of a column. Pictures are SVG files (DcnWritePlot), which
 * are copied into the page.
 */
class DcnReport
{
  public:
    /**
     * @brief Begin a page.
     * @param title of the page
     */
    explicit DcnReport(const std::string& title);

    /**
     * @brief Begin a section.
     * @param text its heading
     */
    void AddHeading(const std::string& text);

    /**
     * @brief Add a paragraph.
     * @param text plain text; its lines stay lines
     */
    void AddText(const std::string& text);

    /**
     * @brief Add where the results come from: command, release, digest of the packet engine, day and
     * host.
     * @param command the command line (DcnDescribeCommand)
     */
    void AddOrigin(const std::string& command);

    /**
     * @brief Add a table.
     * @param head names of the columns
     * @param rows cells as text, as many as columns; columns with numbers are right-aligned
     */
    void AddTable(const std::vector<std::string>& head,
                  const std::vector<std::vector<std::string>>& rows);

    /**
     * @brief Add a CSV file as a table.
     * @param path of the file, with a head
     * @param title above the table
     * @param isFolded only the title is shown until it is clicked on
     * @throws DcnError if it cannot be read
     */
    void AddCsv(const std::string& path, const std::string& title, bool isFolded = true);

    /**
     * @brief Add a picture.
     * @param path of an SVG file
     * @param caption below it
     * @return false if there is no such file, for instance without gnuplot; nothing is added then
     */
    bool AddFigure(const std::string& path, const std::string& caption);

    /**
     * @brief Add what an answer rests on: completion, events, warnings, provenance.
     * @param estimate the answer
     */
    void AddAnswer(const DcnEstimate& estimate);

    /**
     * @brief Write the page.
     * @param path of the file
     * @throws DcnError if it cannot be written
     */
    void Write(const std::string& path) const;

    /**
     * @param text plain text
     * @return the text for HTML, with &, <, > and quotes as entities
     */
    static std::string Escape(const std::string& text);

  private:
    std::string m_title; //!< of the page
    std::string m_body;  //!< HTML so far
};

} // namespace ns3

#endif /* DCN_REPORT_H */
